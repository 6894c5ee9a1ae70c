internal import ExperimentStatistics
internal import FunnelEngine

/// Whether completion changed with a release of the app: of the people who started with it against
/// those who started with the release before.
struct ReleaseFindings {
  let analysis: Analysis

  /// The last release that completion is shown to have changed with, else the last of all.
  func drafts() -> [FindingDraft] {
    let all = ReleaseChange.all(analysis)
    guard let change = all.last(where: \.isShown) ?? all.last else { return [] }
    return [
      FindingDraft(
        kind: .release, tone: change.tone, claim: Self.claim(change), detail: Self.detail(change),
        chart: ChartID("breakdowns", change.release.breakdown.dimension))
    ]
  }

  private static func claim(_ change: ReleaseChange) -> Sentence {
    let names = [change.release, change.before].map {
      SafeText.name($0.breakdown.value, limit: 24)
    }
    guard change.isShown else {
      return """
        Release \(names[0]): no change of completion is shown, \(change.rateBefore.saidRate) → \
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

  static let observational =
    "People chose when to update, and a release may bring a new flow version: an observation, not "
    + "an experiment."
}

extension ReleaseChange {
  /// `+3.0`
  var points: String { RateText.signedNumber(difference.estimate) }

  /// `−13.7 to +20.9`
  var interval: String {
    let bounds = difference.interval
    return "\(RateText.signedNumber(bounds.lower)) to \(RateText.signedNumber(bounds.upper))"
  }

  var tone: Finding.Tone {
    !isShown ? .neutral : difference.estimate > 0 ? .good : .bad
  }

  /// `no change shown`
  var verdict: String {
    switch tone {
    case .good: "higher"
    case .bad: "lower"
    default: "no change shown"
    }
  }
}
