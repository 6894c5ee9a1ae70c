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
    let none = Array(
      repeating: Array(repeating: 0, count: declared.variants.count), count: declared.splits.count)
    /// Of each cohort, by the periods of one split, the people of every variant.
    var counts: [String: [[Int]]] = [:]
    for (key, cell) in tally.cells where key.breakdown.dimension == BreakdownKey.cohort {
      let state = key.group.variants[experiment]
      guard state.isCounted,
        let variant = declared.variants.firstIndex(where: { $0.id == state.assignedVariant })
      else { continue }
      counts[key.breakdown.value, default: none][key.group.periods[experiment]][variant] +=
        cell[table.layout[.entered]]
    }
    let cohorts = ByteOrder.sorted(counts.keys)
    return declared.variants.indices.compactMap { place in
      func isThere(_ cohort: String) -> Bool {
        counts[cohort, default: none].contains { $0[place] > 0 }
      }
      guard let first = cohorts.first(where: isThere), let day = CohortDates(first)?.first
      else { return nil }
      // How many are expected before it, were all variants given from the beginning: summed in the
      // order of dates, so that the sum is the same in every run.
      let before = cohorts.prefix { $0 != first }.reduce(0.0) { sum, cohort in
        zip(counts[cohort, default: none], declared.splits).reduce(sum) { sum, period in
          let (people, split) = (period.0.reduce(0, +), period.1)
          let whole = split.reduce(0, +)
          return whole > 0 ? sum + Double(people) * split[place] / whole : sum
        }
      }
      guard UnlikelyAbsence.holds(expected: before) else { return nil }
      return LateVariant(variant: declared.variants[place].id, firstDay: day)
    }
  }
}
