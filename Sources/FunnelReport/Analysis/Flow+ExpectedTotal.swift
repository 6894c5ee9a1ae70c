internal import FlowDefinition
internal import FunnelEngine

extension Flow {
  /// The time the design means the people of a slice to take; `nil` where lists that are meant to
  /// take different times are mixed in it.
  func expectedTotal(of slice: Slice) -> ClosedRange<Int64>? {
    if slice.version != "all" { return expectedTotalMilliseconds(version: slice.version) }
    if slice.variant != "all" {
      return expectedTotalMilliseconds(experiment: slice.experiment, variant: slice.variant)
    }
    return expectedTotalMilliseconds
  }
}

extension Analysis {
  /// The time that the design means everybody to take; `nil` where people had lists that are meant
  /// to take different times.
  var expectedTotalOfEverybody: ClosedRange<Int64>? {
    var totals: Set<ClosedRange<Int64>?> = []
    // A group has one version and one set of variants.
    for (key, counts) in tally.cells where key.breakdown == .all {
      guard counts[slices.layout[.persons]] > 0 else { continue }
      let states = zip(flow.experiments, key.group.variants)
      let own = states.lazy.compactMap { experiment, state -> ClosedRange<Int64>?? in
        let variant = experiment.variants.first { $0.id == state.label }
        guard let variant, variant.steps != nil || variant.expectedTotalMilliseconds != nil else {
          return nil
        }
        return .some(variant.expectedTotalMilliseconds)
      }.first
      totals.insert(own ?? flow.expectedTotalMilliseconds(version: key.group.version))
    }
    return totals.count == 1 ? totals.first ?? nil : nil
  }
}
