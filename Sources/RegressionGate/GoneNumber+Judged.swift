internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

// A number that none of the judged people has, although the data of other days have its event.
extension GoneNumber {
  /// A number in the flow: what a case's number rests on.
  struct Root: Hashable {
    var metric: MetricName
    var step: String
  }

  /// What was counted before, and of whom.
  private struct Before {
    var count: Int
    var people: Int
    /// The share that is expected on a usual day.
    var share: Double
    var words: String
    var advice: String
  }

  /// `nil` where somebody has it, where nobody had it before, and where chance may be why nobody
  /// has it now: also where others than a slice's people have it, and the rule fails for that
  /// anyway.
  ///
  /// - Parameters:
  ///   - isSettled: whether all of the people have had their time.
  ///   - days: what the baseline's people had of a number, by day, and what people of the data had
  ///     who began in the weeks before the judged ones.
  init?(
    ofJudged item: GateCase, _ analysis: Analysis, _ baseline: Baseline?, isSettled: Bool,
    days: (baseline: (Root) -> [DayCounts], earlier: (Root) -> [DayCounts])
  ) {
    guard let root = GoneNumber.root(of: item, analysis.flow),
      let trials = GoneNumber.trials(root, item.slice, analysis, isSettled: isSettled),
      !GoneNumber.isOnlyOfSlice(item, root, analysis)
    else { return nil }
    let isOwn = root == Root(metric: item.metric, step: item.step)
    let people = "\(NumberText.grouped(trials)) people"
    let names = GoneNames(root, analysis).sentence.map { " " + $0 } ?? ""
    let (has, had) =
      isOwn
      ? ("has it", "had it")
      : root.metric == .completionRate
        ? ("finished", "had")
        : root.metric.isRate ? ("has it, whatever the value", "had") : ("has such a time", "had")
    if case .atLeast(let bound) = item.rule.demand, isOwn, item.metric.isRate {
      let share = min(bound, GoneNumber.greatestShare)
      guard UnlikelyAbsence.holds(share: share, trials: trials) else { return nil }
      sentence =
        "None of the \(people) judged has it, and it is expected of at least "
        + "\(RateText.percent(bound)): is an event no longer sent, or called otherwise?" + names
      return
    }
    guard let before = GoneNumber.before(root, item, baseline, days),
      UnlikelyAbsence.holds(share: before.share, trials: trials)
    else { return nil }
    sentence =
      "None of the \(people) judged \(has). \(before.words) \(NumberText.grouped(before.count)) "
      + "of \(NumberText.grouped(before.people)) \(had): is an event no longer sent, or called "
      + "otherwise?\(names) \(before.advice)"
  }

  /// The number that is 0 where the event of a case's number is gone: its own where it counts
  /// people of whom an event says something, and completion where it counts those who did not
  /// complete; `nil` for other numbers.
  static func root(of item: GateCase, _ flow: Flow) -> Root? {
    let metric = item.metric
    if let quantile = MetricCatalog.quantile(of: metric) {
      return Root(metric: quantile.measure.numberOfValues, step: item.step)
    }
    let completion = Root(metric: .completionRate, step: "all")
    if metric == .abandonRate { return completion }
    let last = Set(flow.lists.compactMap(\.last).map { flow.steps[$0].id })
    if [.stepDropOff, .stepAbandoned].contains(metric), last.contains(item.step) {
      return completion
    }
    guard ofEvents.contains(metric) || metric.isRetention else { return nil }
    // A goal's value that nobody reaches is 0 while the goal's event is sent.
    let step = metric == .goalRate ? String(item.step.prefix { $0 != ":" }) : item.step
    return Root(metric: metric, step: step)
  }

  /// A bound near 1 is no claim that hardly anybody is without.
  private static let greatestShare = 0.9

  private static let ofEvents: Set<MetricName> = [
    .completionRate, .skipRate, .usedSkipRate, .stepReach, .stepConversion, .stepCompletion,
    .permissionOptIn, .permissionReach, .permissionAcceptance, .goalRate, .goalRateOverall,
    .frictionRate, .funnelStep,
  ]

  /// Of how many judged people none has it; `nil` where somebody has, or nobody could.
  private static func trials(
    _ root: Root, _ slice: Slice, _ analysis: Analysis, isSettled: Bool
  ) -> Int? {
    let row = analysis.number(root.metric, step: root.step, in: slice)
    let trials: Int?
    if root.metric.isRate {
      trials = row?.denominator
    } else {
      // Durations are of those who have one, so what is missing is missing of all people.
      let settling = analysis.flow.settling(of: root.metric, step: root.step)
      let isOver = isSettled || settling == analysis.flow.settlingOfAttempts
      trials = isOver ? analysis.row(.persons, in: slice)?.numerator : nil
    }
    guard row?.numerator ?? 0 == 0, let trials, trials > 0 else { return nil }
    return trials
  }

  /// Whether others than the people of the slice have it, so that the event is sent, and the rule
  /// fails, or compares variants of which one may have less.
  private static func isOnlyOfSlice(_ item: GateCase, _ root: Root, _ analysis: Analysis) -> Bool {
    let all = analysis.number(root.metric, step: root.step, in: .all)
    guard item.slice != .all, all?.numerator ?? 0 > 0 else { return false }
    if case .notWorse(.control, _) = item.rule.demand { return true }
    return item.rule.better == .higher || root != Root(metric: item.metric, step: item.step)
  }

  private static func before(
    _ root: Root, _ item: GateCase, _ baseline: Baseline?,
    _ days: (baseline: (Root) -> [DayCounts], earlier: (Root) -> [DayCounts])
  ) -> Before? {
    if let baseline, let row = baseline.row(root.metric, step: root.step, in: item.slice) {
      let persons = baseline.row(.persons, in: item.slice)?.numerator
      guard let count = row.numerator,
        let people = root.metric.isRate ? row.denominator : persons, people > 0
      else { return nil }
      return Before(
        count: count, people: people,
        share: usualShare(days.baseline(root)) ?? Double(count) / Double(people + 1),
        words: "In the baseline",
        advice: "If the app has changed, accept a new baseline (--accept), or take the rule away.")
    }
    let earlier = days.earlier(root).filter { $0.counts.trials > 0 }
    let counts = Proportion.sum(earlier.map(\.counts))
    guard let share = usualShare(earlier), let first = earlier.map(\.day).min(),
      let last = earlier.map(\.day).max()
    else { return nil }
    return Before(
      count: counts.successes, people: counts.trials, share: share,
      words: "Of the people who began \(DaySpan(first: first, last: last).text)",
      advice: "If the app has changed, suppress the rule until these days are \(daysBefore) days "
        + "past, or take it away.")
  }

  /// The share but for the quarter of the days that have most: an outage on some days doesn't make
  /// errors usual. `nil` without days.
  private static func usualShare(_ days: [DayCounts]) -> Double? {
    let days = days.filter { $0.counts.trials > 0 }
    let sorted = days.map { ($0.counts, $0.counts.estimate ?? 0) }.sorted { $0.1 < $1.1 }
    let usual = Proportion.sum(sorted.prefix((days.count * 3 + 3) / 4).map(\.0))
    // One more who has it not: a few people who all have it don't show that everybody does.
    return usual.trials == 0 ? nil : Double(usual.successes) / Double(usual.trials + 1)
  }

  /// How far back others are looked at where no baseline has the number.
  static let daysBefore = 35
}

extension MetricName {
  fileprivate var isRate: Bool { MetricCatalog.unit(of: self) == .rate }
}
