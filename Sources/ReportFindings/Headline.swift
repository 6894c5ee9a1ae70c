internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics

/// The one sentence that a report says first, on every surface.
///
/// In this order, which `docs/report.md` names: an alarm about the data, since the numbers may be
/// wrong; a newest release with which far fewer finish; a decided experiment; completion that rose
/// or fell against the earlier numbers that were given; a version that finishes more or less than
/// the one before, or brings fewer people anywhere; the step that stands out, or that none does;
/// how many finish.
package struct Headline: Sendable {
  /// Rates are in whole percent: a sentence that is read once and repeated.
  package let claim: String
  /// How sure it is, and what else to know, in a few words.
  package let detail: String
  package let tone: Finding.Tone
  /// The chart on the page that shows it.
  package let chart: ChartID?
  /// Whom the claim is about: everyone, or the people of one version of the flow.
  package let population: Slice
  /// How large a difference is and how sure; for surfaces without ``detail``.
  package let figures: String

  /// `nil` where there is nothing to say, of a report of nobody without an alarm.
  fileprivate init?(_ report: Report) {
    let words = HeadlineWords(report)
    guard
      let found = words.alarm ?? words.brokenRelease ?? words.decision ?? words.sinceEarlier
        ?? words.change ?? words.dropOff ?? words.completion
    else { return nil }
    self = found
  }

  package init(
    _ claim: String, _ detail: String, tone: Finding.Tone = .neutral, chart: ChartID? = nil,
    population: Slice = .all, figures: String = ""
  ) {
    self.claim = claim
    self.detail = detail
    self.tone = tone
    self.chart = chart
    self.population = population
    self.figures = figures
  }

  /// `Ship short: completion 61 % → 87 %. +26 points, …`, for surfaces that have one paragraph.
  package var text: String { detail.isEmpty ? claim.ended : "\(claim.ended) \(detail)" }
}

extension Report {
  /// The sentence that comes first; `nil` where there is nothing to say.
  package var headline: Headline? { conclusions.value { Headline(self) } }
}
