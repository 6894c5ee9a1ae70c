internal import EventInput

/// Finds properties that may be an experiment's variant: few values, one a person, and about as
/// many people with each.
struct VariantSearch {
  /// How many variants an experiment has.
  static let variantCounts = 2...6
  /// Fewer people show nothing.
  static let leastPeople = 10

  private struct Seen {
    var path = ""
    var people: [String: Int] = [:]
    var severalValues = 0
    var total = 0
  }

  /// - Parameter isBeginning: whether an event begins the onboarding.
  static func find(
    _ timelines: SampledTimelines, taken: Set<String>, isBeginning: (SampledEvent) -> Bool
  ) -> [VariantCandidate] {
    var seen: [String: Seen] = [:]
    for person in timelines.people {
      var values: [String: Set<String>] = [:]
      var paths: [String: String] = [:]
      for event in person {
        for (name, value) in event.properties where !name.hasPrefix("$") && !taken.contains(name) {
          values[name, default: []].insert(value)
          if paths[name] == nil { paths[name] = event.path(ofProperty: name) }
        }
      }
      for (name, values) in values {
        // A property with many values is none of the sought, and its values are not kept.
        guard (seen[name]?.people.count ?? 0) <= 12 else { continue }
        seen[name, default: Seen(path: paths[name] ?? name)].total += 1
        if let value = values.first, values.count == 1 {
          seen[name]?.people[value, default: 0] += 1
        } else {
          seen[name]?.severalValues += 1
        }
      }
    }
    let found = seen.compactMap { name, seen in
      candidate(name, seen, of: timelines.people.count) {
        doubt(seen.path, timelines, isBeginning)
      }
    }
    return found.sorted { left, right in
      if left.isNamed != right.isNamed { return left.isNamed }
      let people = (left, right)
      let counts = (
        people.0.values.map(\.people).reduce(0, +), people.1.values.map(\.people).reduce(0, +)
      )
      return counts.0 != counts.1 ? counts.0 > counts.1 : left.name < right.name
    }
  }

  private static func candidate(
    _ name: String, _ seen: Seen, of people: Int, doubt: () -> String?
  ) -> VariantCandidate? {
    let isNamed = NameHint.isVariant(name)
    let values = seen.people.filter { FlowDraft.isName($0.key) && $0.key != "all" }
      .map { VariantCandidate.Value(name: $0.key, people: $0.value) }
      .sorted { $0.name < $1.name }
    let counts = values.map(\.people)
    guard let most = counts.max(), let least = counts.min(), variantCounts.contains(values.count),
      seen.severalValues * 50 <= seen.total, seen.total >= leastPeople,
      isNamed ? least * 20 >= most : least * 2 >= most && seen.total * 2 >= people
    else { return nil }
    return VariantCandidate(
      path: seen.path, name: name, values: values,
      evidence: "one value a person: \(VariantCandidate.shares(values))", isNamed: isNamed,
      doubt: isNamed ? doubt() : nil, exposures: nil)
  }

  /// What speaks against chance, among people with one value.
  private static func doubt(
    _ path: String, _ timelines: SampledTimelines, _ isBeginning: (SampledEvent) -> Bool
  ) -> String? {
    var evidence = ChanceEvidence()
    for person in timelines.people {
      let values = Set(person.compactMap { $0.value(path) })
      guard values.count == 1, let value = values.first, FlowDraft.isName(value),
        let place = person.firstIndex(where: { $0.value(path) != nil })
      else { continue }
      evidence.add(person, saidAt: place, value: value, isBeginning: isBeginning)
    }
    return evidence.doubt
  }

  /// What speaks against chance in the experiments that events name themselves, by their ids: a
  /// flag that is on for everyone on one system is no experiment.
  static func doubts(ofExperimentsIn timelines: SampledTimelines) -> [String: String] {
    var evidence: [String: ChanceEvidence] = [:]
    for person in timelines.people {
      var places: [String: Int] = [:]
      var values: [String: Set<String>] = [:]
      for (place, event) in person.enumerated() {
        for (id, variant) in event.variants {
          if places[id] == nil { places[id] = place }
          values[id, default: []].insert(variant)
        }
      }
      for (id, place) in places {
        guard let value = values[id]?.first, values[id]?.count == 1 else { continue }
        evidence[id, default: ChanceEvidence()].add(
          person, saidAt: place, value: value, isBeginning: { _ in false })
      }
    }
    return evidence.compactMapValues(\.doubtOfNamed)
  }
}
