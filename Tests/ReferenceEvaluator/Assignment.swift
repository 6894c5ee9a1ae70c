import FlowDefinition

/// A person's arm in one experiment (definitions 6).
enum Assignment: Hashable {
  case unassigned
  /// Entered while the experiment did not run.
  case outside
  /// Has a variant, but was never seen with the event that shows exposure.
  case notExposed
  case variant(String)
  case contaminated(Set<String>)

  /// The facts that name a variant of the person.
  private static func naming(_ experiment: Experiment, _ attempt: Attempt) -> [PlacedFact] {
    let from = attempt.entry - attempt.lead
    return attempt.timeline.filter { placed in
      placed.time >= from && placed.time <= attempt.entry + attempt.flow.windowMilliseconds
        && placed.fact.variants[experiment.id] != nil
    }
  }

  /// The variants that the person was seen with.
  static func seen(_ experiment: Experiment, attempt: Attempt) -> Set<String> {
    Set(naming(experiment, attempt).compactMap { $0.fact.variants[experiment.id] })
  }

  init(_ experiment: Experiment, attempt: Attempt) {
    self = Self.variant(of: attempt, in: experiment)
    let start = experiment.startMilliseconds ?? .min
    let end = experiment.endMilliseconds ?? .max
    guard attempt.entry >= start && attempt.entry < end else {
      self = .outside
      return
    }
    if self != .unassigned, let exposure = experiment.exposure {
      let window = attempt.flow.windowMilliseconds
      let span = attempt.entry - attempt.lead...attempt.entry + window
      let isExposed = attempt.timeline.contains {
        span.contains($0.time) && $0.fact.matches(exposure)
      }
      if !isExposed { self = .notExposed }
    }
  }

  /// Whether the exposure of somebody with a variant came after the window alone.
  static func isExposedLater(in experiment: Experiment, attempt: Attempt) -> Bool {
    guard let exposure = experiment.exposure,
      Assignment(experiment, attempt: attempt) == .notExposed
    else { return false }
    let end = attempt.entry + attempt.flow.windowMilliseconds
    return attempt.timeline.contains { $0.time > end && $0.fact.matches(exposure) }
  }

  /// By the facts that name a variant alone.
  static func variant(of attempt: Attempt, in experiment: Experiment) -> Assignment {
    let having = Self.naming(experiment, attempt)
    let values = Self.seen(experiment, attempt: attempt)
    guard values.count > 1 else {
      return values.first.map { .variant($0) } ?? .unassigned
    }
    guard experiment.contaminated == .first, let first = having.map(\.time).min() else {
      return .contaminated(values)
    }
    let earliest = Set(
      having.filter { $0.time == first }.compactMap { $0.fact.variants[experiment.id] })
    let declared = experiment.variants.map(\.id).first { earliest.contains($0) }
    let smallest = earliest.min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return (declared ?? smallest).map { .variant($0) } ?? .unassigned
  }

  /// What stands in the variant column.
  var name: String {
    switch self {
    case .unassigned: "(unassigned)"
    case .outside: "(outside)"
    case .notExposed: "(not exposed)"
    case .variant(let id): id
    case .contaminated: "(contaminated)"
    }
  }
}
