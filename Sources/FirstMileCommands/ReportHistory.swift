import FirstMileStore
import FlowDefinition
import Foundation
import FunnelMetrics
import ReportText

/// What a report from a store leaves there, and what those before it have left.
struct ReportHistory {
  /// Writing it down is not worth a long wait.
  private static let seconds = 5
  let store: String

  /// Keeps the headline numbers; says why where that can't be.
  func keep(_ entry: HistoryEntry, flow: Flow) {
    do {
      let opened = try FactStore(
        path: store, access: .write,
        waiting: FactStore.Waiting(seconds: ReportHistory.seconds))
      try opened.note([flow])
      try opened.keep(entry)
      try opened.close()
    } catch {
      Console.message("this report is not kept in the history: \(error)")
    }
  }

  /// The report's headline numbers.
  ///
  /// - Parameter metricsText: `metrics.csv` as it was made.
  func entry(
    _ report: Report, metricsText: String, _ flow: Flow, _ lastSource: Int64
  ) -> HistoryEntry {
    var prints = MetricFingerprints(flow)
    let rows = report.analysis.rows.filter { row in
      row.slice == Slice(experiment: row.slice.experiment, variant: row.slice.variant)
        && ((row.unit == .rate || row.unit == .persons) && row.numerator != nil || isLook(row))
    }
    let metrics = rows.map { row in
      HistoryEntry.Metric(
        experiment: row.slice.experiment, variant: row.slice.variant, metric: row.metric,
        step: row.step,
        fingerprint: prints.fingerprint(of: row.metric, step: row.step),
        numerator: row.numerator, denominator: row.denominator, value: row.value,
        low: row.low, high: row.high, unit: row.unit.rawValue)
    }
    return HistoryEntry(
      flow: flow.id, fingerprint: flow.fingerprint, programVersion: FirstMile.version,
      horizonMilliseconds: report.provenance.horizonMilliseconds,
      options: report.provenance.options, lastSource: lastSource,
      facts: report.provenance.timelineCounts["facts"] ?? 0, metricsText: metricsText,
      madeAt: Date.now.formatted(.iso8601), metrics: metrics)
  }

  /// Each report of an experiment is a look at it: what it said then is kept.
  private func isLook(_ row: MetricRow) -> Bool {
    [.difference, .lift, .p, .adjustedP].contains(row.metric.comparison)
  }

  /// What the reports before this one said, by the same definitions and options, in their order.
  ///
  /// - Throws: `StoreError` where the history is damaged.
  func past(_ report: Report, _ flow: Flow) throws -> [PastReport] {
    let entries = try alike(flow.id, flow.fingerprint, report.provenance.options, limit: 60)
    return entries.reversed().compactMap { entry in
      entry.horizonMilliseconds.map { horizon in
        PastReport(
          horizonMilliseconds: horizon,
          rows: entry.metrics.map { metric in
            MetricRow(
              slice: Slice(experiment: metric.experiment, variant: metric.variant),
              metric: metric.metric, step: metric.step, numerator: metric.numerator,
              denominator: metric.denominator, value: metric.value, low: metric.low,
              high: metric.high, unit: MetricRow.Unit(rawValue: metric.unit) ?? .rate)
          })
      }
    }
  }

  /// The last reports with the same definitions and options, but for the day, latest first.
  private func alike(
    _ flow: String, _ fingerprint: String, _ options: [String: String], limit: Int
  ) throws -> [HistoryEntry] {
    func choices(_ options: [String: String]) -> [String: String] {
      options.filter { $0.key != "as_of" }
    }
    let opened = try FactStore(path: store, access: .read)
    defer { try? opened.close() }
    let all = try opened.history(flow: flow, fingerprint: fingerprint, limit: limit)
    return all.filter { choices($0.options) == choices(options) }
  }

  /// How today's store differs from what an earlier report of this horizon saw, in words.
  static func tell(_ late: StoreSnapshot.LateFacts, _ entry: HistoryEntry) {
    let then = late.report.horizonMilliseconds.map(Moment.text) ?? "–"
    let isSame = late.report.metricsDigest == entry.metricsDigest
    if late.count > 0 {
      Console.message(
        "\(NumberText.grouped(late.count)) late facts have come in since the report up to \(then): "
          + "numbers may differ")
    } else if isSame {
      Console.message("no late facts since the report up to \(then): the same numbers")
    } else {
      Console.message("no late facts have come in since the report up to \(then)")
    }
  }
}
