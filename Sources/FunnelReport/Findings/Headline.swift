internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// The one sentence that a report says first, on every surface.
///
/// In this order, which `docs/report.md` names: an alarm about the data, since the numbers may be
/// wrong; a decided experiment; completion that rose or fell against the earlier numbers that were
/// given; a version that finishes more or less than the one before; the step that loses most; how
/// many finish.
struct Headline {
  /// Rates are in whole percent: a sentence that is read once and repeated.
  let claim: String
  /// How sure it is, and what else to know, in a few words.
  let detail: String
  let tone: Finding.Tone
  /// The chart on the page that shows it.
  let chart: ChartID?

  /// `nil` where there is nothing to say, of a report of nobody without an alarm.
  init?(_ report: Report) {
    let words = HeadlineWords(report)
    guard
      let found = words.alarm ?? words.decision ?? words.sinceEarlier ?? words.change
        ?? words.dropOff ?? words.completion
    else { return nil }
    self = found
  }

  init(_ claim: String, _ detail: String, tone: Finding.Tone = .neutral, chart: ChartID? = nil) {
    self.claim = claim
    self.detail = detail
    self.tone = tone
    self.chart = chart
  }

  /// `Ship short: completion 61 % → 87 %. +26 points, …`, for surfaces that have one paragraph.
  var text: String { detail.isEmpty ? "\(claim)." : "\(claim). \(detail)" }
}
