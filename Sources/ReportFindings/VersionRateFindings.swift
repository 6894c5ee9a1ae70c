internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What is worse, or better, with the newest version of the flow than with the one before, beside
/// completion; and completion itself where no headline can say so.
struct VersionRateFindings {
  let analysis: Analysis

  func drafts() -> [FindingDraft] { [completion()].compactMap { $0 } + others() }

  /// Of people of the same days, where the rates of everybody say otherwise.
  private func completion() -> FindingDraft? {
    guard let change = VersionChange(analysis), change.isOtherThanRates else { return nil }
    let more = change.difference.estimate > 0
    let names = [change.newest, change.before].map { SafeText.name($0.version, limit: 24) }
    return FindingDraft(
      kind: .version, tone: more ? .good : .bad,
      claim: """
        Completion is \(more ? "higher" : "lower") with flow version \(names[0]) than with \
        \(names[1]) among people of the same days: \
        \(HeadlineWords.against(change.newestRate, change.rateBefore))
        """,
      detail: """
        (\(change.basis.ofSameDays)\(RateText.points(change.difference))).\
        \(overlap(change.newest, change.before)) \(Self.observational)
        """, chart: .funnel)
  }

  private func others() -> [FindingDraft] {
    guard let rates = VersionRates(analysis), let first = rates.changes.first else { return [] }
    let others = rates.changes.dropFirst().map { change -> Sentence in
      " Also \(words(change)) (\(numbers(change)))."
    }
    let rest = others.joined(separator: "")
    return [
      FindingDraft(
        kind: .version, tone: first.isWorse ? .bad : .good, claim: claim(first, rates),
        detail: "(\(numbers(first))).\(rest)\(steps(rates))"
          + "\(overlap(rates.newest, rates.before)) \(Self.observational)",
        chart: first.chart)
    ]
  }

  static let observational = "People weren’t randomised, so the version may not be the cause."

  private func claim(_ change: VersionRates.Change, _ rates: VersionRates) -> Sentence {
    """
    \(change.words(analysis.flow, with: rates.versions).capitalizedFirst)\
    \(change.amongSameDays): \(change.newest.saidRate) vs \(change.before.saidRate)
    """
  }

  /// `day 7 retention: 6.0 % vs 11.2 %`. No arrow: both versions may be in use on the same
  /// days.
  private func words(_ change: VersionRates.Change) -> Sentence {
    """
    \(name(change))\(change.amongSameDays): \(change.newest.saidRate) vs \
    \(change.before.saidRate)
    """
  }

  private func numbers(_ change: VersionRates.Change) -> Sentence {
    """
    \(change.newest.saidCount) of \(change.newest.saidTotal) against \(change.before.saidCount) of \
    \(change.before.saidTotal); \(change.basis.ofSameDays)\
    \(RateText.signedNumber(change.difference)) points, adjusted \(RateText.p(change.pAdjusted))
    """
  }

  private func name(_ change: VersionRates.Change) -> String { change.name(analysis.flow) }

  /// ` Steps of version 2 only: Location; of version 1 only: Permissions.` A goal that a step leads
  /// to is reached less often where the step is gone.
  private func steps(_ rates: VersionRates) -> String {
    let parts = [rates.newest, rates.before].compactMap { version -> String? in
      let own = analysis.flow.steps.filter { step in
        analysis.seenVersions.filter { seen in
          analysis.row(.stepReach, step: step.id, in: seen)?.denominator ?? 0 > 0
        } == [version]
      }
      guard !own.isEmpty else { return nil }
      let named = own.prefix(Self.namedSteps).map { SafeText.name($0.title, limit: 40) }
      let rest = own.count > named.count ? ["\(own.count - named.count) more"] : []
      return "of version \(SafeText.name(version.version, limit: 24)) only: "
        + (named + rest).listed
    }
    return parts.isEmpty ? "" : " Steps \(parts.joined(separator: "; "))."
  }

  private static let namedSteps = 4

  /// ` Both versions were in use at the same time.`
  private func overlap(_ newest: Slice, _ before: Slice) -> String {
    switch VersionOverlap(newest: newest, before: before, analysis) {
    case .sameTime: " Both versions were in use at the same time."
    case .forSomeTime: " For some of the time both versions were in use."
    case .apart: " The newer version came after the other."
    case nil: ""
    }
  }
}

extension VersionRates {
  /// ` with flow version 2 than with 1`
  var versions: String {
    let names = [newest, before].map { SafeText.name($0.version, limit: 24) }
    return " with flow version \(names[0]) than with \(names[1])"
  }
}

extension VersionRates.Change {
  private var isOfGoal: Bool { [.goalRate, .goalRateOverall].contains(metric) }

  /// ` among people of the same days`, where the rates of everybody say otherwise.
  fileprivate var amongSameDays: String {
    isOtherThanRates ? " among people of the same days" : ""
  }

  /// Where the page shows the rate.
  var chart: ChartID {
    switch metric {
    case .permissionOptIn: .permission(step)
    case .skipRate, .usedSkipRate: ChartID("balance", "skips")
    default: ChartID("retention", isOfGoal ? "Goals" : "days")
    }
  }

  /// `fewer people reach “First event type” with flow version 2 than with 1`, `day 7 retention is
  /// lower`
  ///
  /// - Parameter isShort: of a headline, which has one line.
  func words(_ flow: Flow, with versions: String = "", isShort: Bool = false) -> String {
    if isOfGoal {
      let title = flow.goals.first { $0.id == step }?.title
      // A step of that name is reached, too.
      if flow.steps.contains(where: { $0.title == title }) {
        return isShort
          ? "goal \(name(flow)) is \(difference < 0 ? "lower" : "higher")\(versions)"
          : "the goal \(name(flow)) is reached \(difference < 0 ? "less" : "more") often\(versions)"
      }
      let who = "\(difference < 0 ? "fewer" : "more")\(isShort ? "" : " people")"
      return "\(who) reach \(name(flow))\(versions)"
    }
    return "\(name(flow)) is \(difference < 0 ? "lower" : "higher")\(versions)"
  }

  func name(_ flow: Flow) -> String {
    SafeText.name(MetricWords.inSentence(metric, step: step, flow), limit: 60)
  }
}
