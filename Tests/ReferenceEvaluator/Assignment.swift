import FlowDefinition

/// A person's arm in one experiment (definitions 6).
enum Assignment: Hashable {
  case unassigned
  case variant(String)
  case contaminated(Set<String>)

  /// The facts that name a variant of the person.
  private static func naming(_ experiment: Experiment, _ attempt: Attempt) -> [PlacedFact] {
    let from = attempt.entry - attempt.flow.windowMilliseconds
    return attempt.timeline.filter { placed in
      placed.time >= from && placed.time <= attempt.end
        && placed.fact.variants[experiment.id] != nil
    }
  }

  /// The variants that the person was seen with.
  static func seen(_ experiment: Experiment, attempt: Attempt) -> Set<String> {
    Set(naming(experiment, attempt).compactMap { $0.fact.variants[experiment.id] })
  }

  init(_ experiment: Experiment, attempt: Attempt) {
    let having = Self.naming(experiment, attempt)
    let values = Self.seen(experiment, attempt: attempt)
    guard values.count > 1 else {
      self = values.first.map { .variant($0) } ?? .unassigned
      return
    }
    guard experiment.contaminated == .first, let first = having.map(\.time).min() else {
      self = .contaminated(values)
      return
    }
    let earliest = Set(
      having.filter { $0.time == first }.compactMap { $0.fact.variants[experiment.id] })
    let declared = experiment.variants.map(\.id).first { earliest.contains($0) }
    let smallest = earliest.min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    self = (declared ?? smallest).map { .variant($0) } ?? .unassigned
  }

  /// What stands in the variant column.
  var name: String {
    switch self {
    case .unassigned: "(unassigned)"
    case .variant(let id): id
    case .contaminated: "(contaminated)"
    }
  }
}
