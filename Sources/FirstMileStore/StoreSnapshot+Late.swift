internal import EventInput
internal import Foundation
internal import Timelines

extension StoreSnapshot {
  /// Facts that came in after a report, though their time was within it.
  package struct LateFacts: Sendable, Hashable {
    /// The report they were late for, without its metrics.
    package var report: HistoryEntry
    /// Distinct facts up to the report's horizon that were not in the store then.
    package var count: Int
  }

  /// How many facts came too late for the last report up to a moment; `nil` if there was none.
  ///
  /// - Parameter question: its `latestMilliseconds` is that moment.
  /// - Throws: `StoreError`, `SpillError`.
  package func lateFacts(
    flow: String, fingerprint: String, _ question: Question
  ) async throws -> LateFacts? {
    let reports = try store.history(
      flow: flow, fingerprint: fingerprint, limit: 1000, hasMetrics: false)
    let report = reports.filter { report in
      report.horizonMilliseconds.map { $0 <= question.latestMilliseconds } ?? false
    }.max { ($0.horizonMilliseconds ?? 0, $0.id * -1) < ($1.horizonMilliseconds ?? 0, $1.id * -1) }
    guard let report, let horizon = report.horizonMilliseconds else { return nil }
    let isTouched = sources.contains { source in
      source.id > report.lastSource
        && source.milliseconds.map { $0.lowerBound <= horizon } ?? false
    }
    if !isTouched { return LateFacts(report: report, count: 0) }
    var now = question
    now.latestMilliseconds = horizon
    var then = now
    then.lastSource = report.lastSource
    let difference =
      try await timelines(now).counts.facts - (try await timelines(then).counts.facts)
    return LateFacts(report: report, count: difference)
  }
}
