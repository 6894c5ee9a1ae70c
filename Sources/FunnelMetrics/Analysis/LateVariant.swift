internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import ReportText

/// A variant that nobody has who started before some date, though others of its experiment were
/// given already: an experiment whose beginning is not declared.
public struct LateVariant: Sendable, Hashable {
  /// The variant's id.
  public var variant: String
  /// The first day of the first cohort with anybody of it, as days since 1970-01-01.
  public var firstDay: Int

  /// Those of an experiment, in the flow's order.
  static func all(_ table: SliceTable, _ tally: Tally, experiment: Int) -> [LateVariant] {
    let declared = table.flow.experiments[experiment]
    var counts: [String: [Int]] = [:]
    /// Of each cohort how many of every variant are expected, were all given from the beginning.
    var expected: [String: [Double]] = [:]
    for (key, cell) in tally.cells where key.breakdown.dimension == BreakdownKey.cohort {
      let state = key.group.variants[experiment]
      guard state.isCounted,
        let variant = declared.variants.firstIndex(where: { $0.id == state.assignedVariant })
      else { continue }
      let people = cell[table.layout[.entered]]
      let split = declared.splits[key.group.periods[experiment]]
      let whole = split.reduce(0, +)
      let none = split.map { _ in 0 }
      counts[key.breakdown.value, default: none][variant] += people
      for (place, share) in split.enumerated() where whole > 0 {
        expected[key.breakdown.value, default: none.map(Double.init)][place] +=
          Double(people) * share / whole
      }
    }
    let cohorts = ByteOrder.sorted(counts.keys)
    return declared.variants.indices.compactMap { place in
      guard let first = cohorts.first(where: { (counts[$0]?[place] ?? 0) > 0 }),
        let day = CohortDates(first)?.first
      else { return nil }
      let before = cohorts.prefix { $0 != first }
        .reduce(0) { $0 + (expected[$1]?[place] ?? 0) }
      guard UnlikelyAbsence.holds(expected: before) else { return nil }
      return LateVariant(variant: declared.variants[place].id, firstDay: day)
    }
  }
}
