internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// Whether completion changed with a release of the app: of the people who started with it against
/// those who started with the release before.
package struct ReleaseFindings {
  package let analysis: Analysis

  /// Of each dimension of releases the last one that completion is shown to have changed with, else
  /// the last of all.
  func drafts() -> [FindingDraft] {
    let all = ReleaseChange.all(analysis)
    let dimensions = analysis.flow.releaseDimensions
    return dimensions.compactMap { dimension in
      let own = all.filter { $0.release.breakdown.dimension == dimension.id }
      guard let change = own.last(where: \.isShown) ?? own.last else { return nil }
      return FindingDraft(
        kind: .release, tone: change.tone,
        claim: Self.claim(change, of: dimensions.count > 1 ? dimension.id : nil),
        detail: Self.detail(change), chart: ChartID("breakdowns", dimension.id))
    }
  }

  /// - Parameter dimension: what the release is a value of, where there are several.
  private static func claim(_ change: ReleaseChange, of dimension: String?) -> Sentence {
    var names = [change.release, change.before].map {
      SafeText.name($0.breakdown.value, limit: 24)
    }
    if let dimension { names[0] += " (\(SafeText.name(dimension, limit: 24)))" }
    guard change.isShown else {
      return """
        Release \(names[0]): no clear change in completion, \(change.rateBefore.saidRate) → \
        \(change.rate.saidRate) after \(names[1])
        """
    }
    return """
      Completion is \(change.verdict) with release \(names[0]) than with \(names[1]): \
      \(change.rateBefore.saidRate) → \(change.rate.saidRate)
      """
  }

  private static func detail(_ change: ReleaseChange) -> Sentence {
    """
    (\(change.rateBefore.saidCount) of \(change.rateBefore.saidTotal), then \
    \(change.rate.saidCount) of \(change.rate.saidTotal); \(change.points) points, \
    \(RateText.level(change.level)) CI \(change.interval)). \(observational)
    """
  }

  package static let observational =
    "People chose when to update, and a release may bring a new flow version: an observation, not "
    + "an experiment."
}

extension ReleaseChange {
  /// `+3.0`
  package var points: String { RateText.signedNumber(difference.estimate) }

  /// `−13.7 to +20.9`
  package var interval: String {
    let bounds = difference.interval
    return "\(RateText.signedNumber(bounds.lower)) to \(RateText.signedNumber(bounds.upper))"
  }

  package var tone: Finding.Tone {
    !isShown ? .neutral : difference.estimate > 0 ? .good : .bad
  }

  /// `no clear change`
  package var verdict: String {
    switch tone {
    case .good: "higher"
    case .bad: "lower"
    default: "no clear change"
    }
  }
}
