internal import ExperimentStatistics

/// The persons of one report that are compared, and what is known of them.
struct RecordedSide {
  /// Rates that a comparison tells, in their order; those of steps and pages say where, and are
  /// left to the two reports.
  private static let compared: Set = [
    "completion_rate", "skip_rate", "abandon_rate", "used_skip_rate", "permission_opt_in",
    "permission_acceptance", "permission_reach", "goal_rate", "friction_rate", "step_reach",
  ]

  let report: RecordedReport
  let slice: ComparedSlice
  let rates: [RecordedReport.Rate]
  private let rows: [RecordedReport.Rate: Proportion]
  private let cut: [RecordedReport.Rate: [String: [[String]: Proportion]]]
  private let fingerprints: [RecordedReport.Rate: String]

  var dimensions: [String] { report.metrics.strata?.dimensions ?? [] }

  init(_ report: RecordedReport, _ slice: ComparedSlice) {
    self.report = report
    self.slice = slice
    var order: [RecordedReport.Rate] = []
    var rows: [RecordedReport.Rate: Proportion] = [:]
    var cut: [RecordedReport.Rate: [String: [[String]: Proportion]]] = [:]
    for row in report.metrics.rows where slice.holds(row) && row.cohort == nil {
      let isCompared =
        RecordedSide.compared.contains(row.metric) || row.metric.hasPrefix("retention_")
      // A rate that was not measured has counts and no value.
      guard row.unit == "rate", isCompared, let trials = row.denominator,
        row.value != nil || trials == 0
      else { continue }
      let name = RecordedReport.Rate(metric: row.metric, step: row.step ?? "all")
      let rate = Proportion(successes: row.numerator ?? 0, trials: trials)
      guard let breakdown = row.breakdown else {
        // The values of a goal are told by the reports.
        if row.metric == "goal_rate", name.step.contains(":") { continue }
        order.append(name)
        rows[name] = rate
        continue
      }
      let parts = breakdown.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      cut[name, default: [:]][String(parts[0]), default: [:]][[String(parts[1])]] = rate
    }
    rates = order
    self.rows = rows
    self.cut = cut
    fingerprints = Dictionary(
      report.metricFingerprints.map {
        (RecordedReport.Rate(metric: $0.metric, step: $0.step ?? "all"), $0.fingerprint)
      }, uniquingKeysWith: { first, _ in first })
  }

  func proportion(_ name: RecordedReport.Rate) -> Proportion? { rows[name] }

  func fingerprint(_ name: RecordedReport.Rate) -> String? { fingerprints[name] }

  func breakdown(_ name: RecordedReport.Rate, _ dimension: String) -> [[String]: Proportion] {
    cut[name]?[dimension] ?? [:]
  }

  /// By all dimensions at once; `nil` for a variant, whose strata the file does not tell apart, and
  /// for rates that it has none of.
  func strata(_ name: RecordedReport.Rate) -> [[String]: Proportion]? {
    guard let strata = report.metrics.strata, slice.variant == nil,
      let place = strata.rates.firstIndex(of: name)
    else { return nil }
    var sums: [[String]: Proportion] = [:]
    for row in strata.rows where slice.version == nil || row.version == slice.version {
      guard row.counts.count > 2 * place + 1 else { continue }
      let old = sums[row.values]
      sums[row.values] = Proportion(
        successes: (old?.successes ?? 0) + row.counts[2 * place + 1],
        trials: (old?.trials ?? 0) + row.counts[2 * place])
    }
    return sums
  }
}
