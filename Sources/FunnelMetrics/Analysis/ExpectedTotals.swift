internal import FlowDefinition
internal import FunnelEngine

/// The time that the design expects the people of each slice to take.
///
/// A version or a variant may have a list of steps of its own, so a slice in which several lists
/// are mixed has an expected time only where all of them are expected to take the same.
package struct ExpectedTotals: Sendable {
  private struct Group: Hashable {
    var version = "all"
    var experiment = "all"
    var variant = "all"
  }

  private var totals: [Group: Set<ClosedRange<Int64>?>] = [:]
  private let newest: ClosedRange<Int64>?

  init(_ tally: Tally, _ slices: SliceTable) {
    let flow = slices.flow
    newest = flow.expectedTotalMilliseconds
    for (key, counts) in tally.cells where key.breakdown == .all {
      guard counts[slices.layout[.persons]] > 0 else { continue }
      let variants = zip(flow.experiments, key.group.variants).map { ($0.id, $1.label) }
      let total = Self.total(flow, key.group.version, variants)
      for version in ["all", key.group.version] {
        totals[Group(version: version), default: []].insert(total)
        for (experiment, variant) in variants {
          let group = Group(version: version, experiment: experiment, variant: variant)
          totals[group, default: []].insert(total)
        }
      }
    }
  }

  /// The expected time of a slice, its breakdown aside; `nil` where lists that are expected to take
  /// different times are mixed in it. Of nobody it is that of the newest version.
  package func of(_ slice: Slice) -> ClosedRange<Int64>? {
    let group = Group(
      version: slice.version, experiment: slice.experiment, variant: slice.variant)
    guard let found = totals[group] else { return newest }
    return found.count == 1 ? found.first ?? nil : nil
  }

  private static func total(
    _ flow: Flow, _ version: String, _ variants: [(experiment: String, variant: String)]
  ) -> ClosedRange<Int64>? {
    for (id, name) in variants {
      let variant = flow.experiments.first { $0.id == id }?.variants.first { $0.id == name }
      if let variant, variant.steps != nil || variant.expectedTotalMilliseconds != nil {
        // A list of its own is not what the whole flow's time was set for.
        return variant.expectedTotalMilliseconds
      }
    }
    return flow.expectedTotalMilliseconds(version: version)
  }
}
