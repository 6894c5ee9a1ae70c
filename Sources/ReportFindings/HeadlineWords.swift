internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What may become the headline of a report; each is `nil` where it doesn't apply.
struct HeadlineWords {
  let report: Report
  private var analysis: Analysis { report.analysis }
  private var flow: Flow { report.analysis.flow }

  init(_ report: Report) { self.report = report }

  // MARK: What is wrong with the data

  var alarm: Headline? {
    guard let first = report.findings.first, first.tone == .alarm else { return nil }
    let claim = first.claim.text
    let end = claim.last.map { ".:,".contains($0) } ?? false
    let finish = completionRate.map { "\(HeadlineWords.percent($0)) of people finish. " } ?? ""
    return Headline(
      end ? String(claim.dropLast()) : claim, finish + "Read the findings before the numbers.",
      tone: .alarm, chart: first.chart)
  }

  // MARK: A release that broke something

  /// Completion is lower with the newest release by so much that nothing else comes first.
  var brokenRelease: Headline? {
    guard let dimension = flow.releaseDimensions.first,
      let change = ReleaseChange.all(analysis).last(where: {
        $0.release.breakdown.dimension == dimension.id
      }), !change.isWithoutCompletions, change.isShown,
      change.difference.estimate <= -HeadlineWords.brokenBy,
      // People may be missing, and others may have come with it.
      ReleaseBesideGaps(change, analysis)?.isShownToo ?? change.missingStarts(analysis).isEmpty,
      change.otherwise(ReleaseAmongAlike(change, analysis)) == nil, !change.isOtherThanRates,
      let now = change.rate.row.value, let then = change.rateBefore.row.value
    else { return nil }
    let names = [change.release, change.before].map {
      SafeText.name($0.breakdown.value, limit: 24)
    }
    return Headline(
      "Fewer people finish with release \(names[0]) than with \(names[1]): "
        + HeadlineWords.arrow(then, now) + place(of: change),
      "\(change.points) points\(change.basis == .sameDays ? " on the same days" : ""), "
        + "\(RateText.level(change.level)) CI \(change.interval); "
        + "\(ReportWords.people(change.rate.row.denominator ?? 0)) started with it. People weren’t "
        + "randomised, but look at the release before anything else."
        + "\(ReleaseFindings(analysis: analysis).incomparable(change))\(undecided)",
      tone: .bad, chart: ChartID("breakdowns", dimension.id))
  }

  /// ` (at Profile)`, where most of a release's loss is at one step.
  private func place(of change: ReleaseChange) -> String {
    if let step = change.blockingStep {
      return "; nobody gets past \(SafeText.name(step.title, limit: 40))"
    }
    guard let step = ReleaseStep(change, analysis), step.share >= 0.5 else { return "" }
    return ", mostly at \(SafeText.name(step.step.title, limit: 40))"
  }

  /// In points of a rate, from 0 to 1.
  private static let brokenBy = 0.05

  // MARK: What an experiment decided

  var decision: Headline? {
    let decided = Decision.all(analysis, horizon: report.provenance.horizonMilliseconds)
      .compactMap(\.conclusion)
    // A variant to ship comes before others that were decided.
    guard let first = decided.first(where: { $0.kind == .ship }) ?? decided.first else {
      return nil
    }
    let comparison = first.metric
    guard let change = change(comparison) else { return nil }
    let names = analysis.names(ofExperiment: comparison.experiment)
    let variant = names.variant(comparison.variant)
    let (open, words) = openTargets(comparison)
    let opposed = OpposedMetrics(comparison, analysis)
    let against = opposed.but(arrow)
    let targets = words.map { "\(against.isEmpty ? ", but" : ", and") \($0)" } ?? ""
    let isPlain = !open && against.isEmpty
    let (claim, tone): (String, Finding.Tone) =
      switch first.kind {
      case .ship:
        (
          "Ship \(variant)\(against.isEmpty ? "" : " by the plan"): \(change)\(against)\(targets)",
          isPlain ? .good : .neutral
        )
      case .better: ("\(variant) is better: \(change)", open ? .neutral : .good)
      case .tradeOff: ("\(variant) is a trade-off: \(change)\(against)", .bad)
      case .reject: ("Don’t ship \(variant): \(change)\(against)", .bad)
      case .worse: ("\(variant) is worse: \(change)", .bad)
      }
    let rest = first.kind == .better ? words.map { " \($0.capitalizedFirst)." } ?? "" : ""
    let unguarded = first.kind == .ship ? PlannedDecision.unguarded(opposed.comparisons, flow) : nil
    return Headline(
      claim,
      certainty(comparison) + (unguarded.map { " \($0)" } ?? "") + missedElsewhere(comparison)
        + rest, tone: tone,
      chart: .experiment(comparison.experiment))
  }

  /// `completion 61 % → 87 %`
  private func change(_ comparison: MetricComparison) -> String? {
    let name = MetricWords.of(comparison.metric, step: comparison.step, flow)
    return arrow(comparison).map { "\(SafeText.name(name, limit: 60)) \($0)" }
  }

  private func arrow(_ comparison: MetricComparison) -> String? {
    let rates = comparison.comparedRates
    guard let control = rates.control, let treatment = rates.treatment else { return nil }
    return HeadlineWords.arrow(control, treatment)
  }

  /// `+26 points, 95 % CI +17 to +34; 371 people. No other metric is shown to be worse.`
  private func certainty(_ comparison: MetricComparison) -> String {
    let people = comparison.treatmentRate.trials + comparison.controlRate.trials
    var parts: [String] = []
    if let difference = comparison.difference.value {
      let bounds = difference.interval
      parts.append(
        "\(RateText.signedNumber(difference.estimate)) points, "
          + "\(RateText.level(comparison.intervalLevel)) CI "
          + "\(RateText.signedNumber(bounds.lower)) to \(RateText.signedNumber(bounds.upper))")
    }
    if let p = comparison.pAdjusted { parts.append("adjusted \(RateText.p(p))") }
    let name = analysis.names(ofExperiment: comparison.experiment).title
    parts.append("\(ReportWords.people(people)) in the experiment “\(name)”")
    let rule = analysis.experiments.first { $0.id == comparison.experiment }
      .flatMap { LookRule(comparison, in: $0).caveat }
    return parts.joined(separator: ", ") + "." + (rule.map { " \($0)" } ?? "")
  }

  /// The targets that speak about a variant, or about everyone, and aren't met.
  private func openTargets(_ comparison: MetricComparison) -> (Bool, String?) {
    let checks = TargetCheck.all(analysis).filter { speaks($0, of: comparison) }
    func count(_ verdict: TargetCheck.Verdict, _ words: String) -> String? {
      let count = checks.count { $0.verdict == verdict }
      guard count > 0 else { return nil }
      return "\(CountText.of(count, "target")) \(count == 1 ? "is" : "are") \(words)"
    }
    let words = [
      count(.missed, "missed"), count(.unclear, "undecided"), count(.unknown, "without data"),
    ].compactMap { $0 }
    return (!words.isEmpty, words.isEmpty ? nil : words.listed)
  }

  private func speaks(_ check: TargetCheck, of comparison: MetricComparison) -> Bool {
    check.target.slice.isEmpty
      || check.isOf(variant: comparison.variant, in: comparison.experiment)
  }

  /// ` 1 target is missed: completion at least 80 % (iOS).` A miss that is neither the variant's
  /// own nor everyone's doesn't speak against the variant, but is no secret. That the losing
  /// control misses one is no news.
  private func missedElsewhere(_ comparison: MetricComparison) -> String {
    let missed = TargetCheck.all(analysis).filter {
      $0.verdict == .missed && !speaks($0, of: comparison)
        && !$0.isOf(variant: comparison.control, in: comparison.experiment)
    }
    guard let first = missed.first else { return "" }
    let count = CountText.of(missed.count, "target") + (missed.count == 1 ? " is" : " are")
    let name = SafeText.name("\(first.words(flow)), \(first.boundText)", limit: 90)
    return " \(count) missed\(missed.count == 1 ? ": " : ", the first: ")\(name)."
  }

  // MARK: What changed since earlier numbers

  var sinceEarlier: Headline? {
    guard let earlier = report.earlier, let completion = earlier.completion,
      let before = completion.before.estimate, let now = completion.after.estimate,
      let difference = completion.difference.value
    else { return nil }
    return Headline(
      "Completion \(now > before ? "rose" : "fell"): \(HeadlineWords.arrow(before, now))",
      "Against \(earlier.name): \(RateText.points(difference)), adjusted for all rates; "
        + "\(NumberText.grouped(completion.before.trials)) people before, "
        + "\(NumberText.grouped(completion.after.trials)) now.",
      tone: now > before ? .good : .bad, chart: .changes)
  }

  // MARK: What changed between versions

  var change: Headline? {
    guard let change = VersionChange(analysis), !change.isOtherThanRates else {
      return changeOfRates
    }
    let more = change.difference.estimate > 0
    let names = [change.newest, change.before].map { SafeText.name($0.version, limit: 24) }
    return Headline(
      "\(more ? "More" : "Fewer") people finish flow version \(names[0]) than version \(names[1]): "
        + HeadlineWords.against(change.newestRate, change.rateBefore),
      "\(change.basis.briefly)\(RateText.points(change.difference)).\(but(change)) "
        + VersionRateFindings.observational, tone: more ? .good : .bad, chart: .funnel,
      figures: "\(difference(change)). \(VersionRateFindings.observational)")
  }

  /// `Among people who started on the same days +9.2 points, 95 % CI +3.1 to +15.2`
  private func difference(_ change: VersionChange) -> String {
    (change.basis.ofSameDays + RateText.points(change.difference)).capitalizedFirst
  }

  /// ` But fewer people reach “First event type”: 51 % vs 72 %.`, where more people finish.
  private func but(_ change: VersionChange) -> String {
    guard change.difference.estimate > 0, let worst = VersionRates(analysis)?.changes.first,
      worst.isWorse, !worst.isOtherThanRates
    else { return "" }
    return " But \(worst.words(flow)): \(rates(worst))."
  }

  /// A version that as many finish, and that brings fewer of them anywhere.
  private var changeOfRates: Headline? {
    guard let rates = VersionRates(analysis), let worst = rates.changes.first, worst.isWorse,
      !worst.isOtherThanRates
    else { return nil }
    let names = [rates.newest, rates.before].map { SafeText.name($0.version, limit: 24) }
    let claim = worst.words(flow, with: " with flow version \(names[0])", isShort: true)
    return Headline(
      "\(claim.capitalizedFirst): \(self.rates(worst))",
      "\(worst.basis.briefly)\(points(worst, names[1])). \(VersionRateFindings.observational)"
        + "\(share(of: rates.newest))\(undecided)",
      tone: .bad, chart: worst.chart, population: rates.newest,
      figures: "\(difference(worst, names[1])).")
  }

  private func difference(_ change: VersionRates.Change, _ before: String) -> String {
    (change.basis.ofSameDays + points(change, before)).capitalizedFirst
  }

  /// `−20.9 points against version 1, adjusted p < 0.0001`
  private func points(_ change: VersionRates.Change, _ before: String) -> String {
    "\(RateText.signedNumber(change.difference)) points against version \(before), adjusted "
      + RateText.p(change.pAdjusted)
  }

  private func rates(_ change: VersionRates.Change) -> String {
    HeadlineWords.against(change.newest.row.value ?? 0, change.before.row.value ?? 0)
  }

  // MARK: Where people drop off

  var dropOff: Headline? {
    guard !analysis.unmeasured.hasNoCompletions, !analysis.unmeasured.hasNoViews,
      let leaving = LeavingPlaces.all(analysis).first, let largest = leaving.largestLoss,
      let worst = leaving.leaders.first, !analysis.hasUnknownLosses(at: worst.step),
      // What has been mended is nothing to look at first.
      !(leaving.change(analysis).map(leaving.isMended) ?? false)
    else { return nil }
    let version =
      leaving.slice == .all
      ? "" : "flow version \(SafeText.name(leaving.slice.version, limit: 24))"
    guard leaving.leaders.count == 1 else {
      guard let rate = analysis.row(.completionRate, in: leaving.slice)?.value else {
        return nil
      }
      let who = version.isEmpty ? "of people finish" : "of people finish \(version)"
      let it = version.isEmpty ? "" : " it"
      return Headline(
        "\(HeadlineWords.percent(rate)) \(who); no step stands out",
        "The steps’ rates differ too little to name a worst one.\(mostLost(leaving, finish: it))"
          + "\(anyway(largest, leaving.slice))\(denial(leaving.slice))"
          + "\(share(of: leaving.slice))\(undecided)",
        chart: .funnel, population: leaving.slice)
    }
    let rate = HeadlineWords.percent(worst.left.estimate ?? 0)
    let claim =
      worst.step == "(entry)"
      ? "\(rate) of the people who start see no step"
      : "\(title(worst.step)) loses \(rate) of the people who reach it"
    let isLargest = largest.step == worst.step
    let count =
      "\(NumberText.grouped(worst.left.successes)) of "
      + ReportWords.people(worst.left.trials)
    let most = isLargest ? "" : mostLost(leaving.largestLosses)
    return Headline(
      claim + (version.isEmpty ? "" : " (\(version))"),
      (isLargest ? "The biggest drop-off: \(count)." : "The highest rate: \(count).") + most
        + "\(anyway(worst, leaving.slice))\(share(of: leaving.slice))\(undecided)",
      tone: .bad, chart: worst.step == "(entry)" ? .funnel : .step(worst.step),
      population: leaving.slice)
  }

  /// ` 273 of 373 people have this version.`, of a headline about one version: the figures
  /// beside it are of everyone.
  private func share(of slice: Slice) -> String {
    guard slice != .all, let own = analysis.row(.persons, in: slice)?.numerator,
      let all = analysis.row(.persons)?.numerator
    else { return "" }
    return " \(NumberText.grouped(own)) of \(ReportWords.people(all)) have this version."
  }

  /// ` 34 people left right after denying a permission.`: what can be acted on where no step stands
  /// out.
  private func denial(_ slice: Slice) -> String {
    DenialFinding(analysis: analysis).short(of: slice).map { " \($0)" } ?? ""
  }

  private func anyway(_ place: LeavingPlaces.Place, _ slice: Slice) -> String {
    LostAnyway.remark(place.step, in: slice, analysis).text
  }

  private func title(_ step: String) -> String {
    SafeText.name(flow.stepIndex(step).map { flow.steps[$0].title } ?? step, limit: 60)
  }

  /// ` The most are lost at Profile: 28.`
  private func mostLost(_ places: [LeavingPlaces.Place]) -> String {
    let sides = places.map {
      $0.step == "(entry)" ? "before the first step" : "at \(title($0.step))"
    }
    let count = NumberText.grouped(places.first?.left.successes ?? 0)
    return " The most are lost \(sides.listed): \(count)\(places.count > 1 ? " each" : "")."
  }

  /// ` The most are lost at Profile: 98 of the 351 who don’t finish.`
  private func mostLost(_ leaving: LeavingPlaces, finish it: String) -> String {
    let words = mostLost(leaving.largestLosses)
    return "\(words.dropLast()) of the \(NumberText.grouped(leaving.gone)) who don’t finish\(it)."
  }

  /// ` Too early to decide: short against long.`: figures beside it name the experiment.
  private var undecided: String {
    let open = Decision.all(analysis, horizon: report.provenance.horizonMilliseconds)
    return open.first.map { " \($0.brief)." } ?? ""
  }

  // MARK: How many finish

  var completion: Headline? {
    guard let rate = completionRate else { return nil }
    let people = analysis.row(.completionRate)?.denominator ?? 0
    return Headline(
      "\(HeadlineWords.percent(rate)) of people finish",
      "\(ReportWords.people(people)) counted.\(undecided)", chart: .funnel)
  }

  private var completionRate: Double? {
    analysis.unmeasured.contains(.completionRate) ? nil : analysis.row(.completionRate)?.value
  }

  // MARK: Rates

  /// `61 %`; with a decimal where a whole number would say 0 or 100 of a rate that is neither.
  static func percent(_ rate: Double) -> String {
    let whole = (rate * 100).rounded()
    if (whole == 0 || whole == 100) && rate * 100 != whole { return RateText.percent(rate) }
    return "\(Int(whole)) %"
  }

  /// `61 % → 87 %`; with decimals where whole numbers would show no change.
  static func arrow(_ before: Double, _ now: Double) -> String {
    pair(before, now).joined(separator: " → ")
  }

  /// `87 % vs 61 %`, of two groups that may be of the same days.
  static func against(_ one: Double, _ other: Double) -> String {
    pair(one, other).joined(separator: " vs ")
  }

  /// With decimals where whole numbers would show no difference.
  static func pair(_ one: Double, _ other: Double) -> [String] {
    let whole = [one, other].map(percent)
    return whole[0] == whole[1] ? [one, other].map { RateText.percent($0) } : whole
  }
}

extension ComparedDays.Basis {
  /// `On the same days `, for a line below a headline, which has little room.
  fileprivate var briefly: String { self == .sameDays ? "On the same days " : "" }
}
