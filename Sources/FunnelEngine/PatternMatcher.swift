internal import FlowDefinition
internal import Timelines

/// Which of a flow's patterns an action satisfies: looked up by its event and its values, so that
/// thousands of patterns cost an action no more than those that concern it.
struct PatternMatcher {
  private struct Candidate {
    var pattern: Int32
    /// The conditions, by the place of their property in an action's values.
    var conditions: [(place: Int, values: Set<String>)]
  }

  /// The patterns of one event: those without a condition, and the others by the place and the
  /// values of their first condition.
  private struct OfEvent {
    var always: [Int32] = []
    var byValue: [Int: [String: [Candidate]]] = [:]
  }

  private var events: [String: OfEvent] = [:]

  init(_ patterns: [EventPattern], _ schema: FactSchema) {
    for (number, pattern) in patterns.enumerated() {
      let conditions = pattern.conditions.compactMap { condition in
        schema.actionIndex(ofProperty: condition.property).map {
          (place: $0, values: Set(PatternMatcher.spellings(of: condition.values)))
        }
      }
      // A property that is not read is missing, and missing matches nothing.
      if conditions.count < pattern.conditions.count { continue }
      guard let first = conditions.first else {
        events[pattern.event, default: OfEvent()].always.append(Int32(number))
        continue
      }
      let candidate = Candidate(
        pattern: Int32(number), conditions: Array(conditions.dropFirst()))
      for value in first.values {
        events[pattern.event, default: OfEvent()]
          .byValue[first.place, default: [:]][value, default: []].append(candidate)
      }
    }
  }

  /// All texts that satisfy a condition.
  static func spellings(of values: [String]) -> [String] {
    values + values.flatMap(NameSpellings.others)
  }

  /// The numbers of the patterns that an action satisfies, smallest first.
  func patterns(of event: String, _ names: ActionNames) -> [Int32] {
    guard let own = events[event] else { return [] }
    var found = own.always
    for (place, candidates) in own.byValue {
      guard let value = names[place] else { continue }
      for candidate in candidates[value] ?? [] {
        let isMet = candidate.conditions.allSatisfy { condition in
          names[condition.place].map(condition.values.contains) ?? false
        }
        if isMet { found.append(candidate.pattern) }
      }
    }
    return found.sorted()
  }
}
