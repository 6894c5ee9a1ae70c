internal import ExperimentStatistics
internal import FlowDefinition
package import FunnelMetrics
internal import ReportText

/// Whether an experiment can be decided on what was seen so far, by rule.
package struct Decision {
  package enum Tone: String {
    /// Something was shown.
    case ready
    /// Nothing yet.
    case wait
    /// The data does not allow one.
    case alarm
  }
  package var tone: Tone
  /// The title where the experiment is named beside it.
  package var brief: String
  /// Of the experiment, where two of its variants are decided between.
  private var names: ExperimentNames?
  package var title: String { names?.naming(brief) ?? brief }
  package var text: String
  package var detail: String?
  /// What a text that is cut for a screen ends with: what to do, in few words.
  package private(set) var kept = ""
  /// What it concludes about a variant; `nil` while nothing is decided.
  var conclusion: Conclusion?

  /// A variant against its control, decided.
  struct Conclusion {
    enum Kind {
      /// The plan's end is reached, and its rule says so.
      case ship, reject
      /// What was shown without a plan.
      case better, worse, tradeOff
    }
    var kind: Kind
    /// The metric that decided, completion where it is one of several.
    var metric: MetricComparison
  }

  /// - Parameter horizon: up to when the data are complete: what a plan calls today.
  package static func all(_ analysis: Analysis, horizon: Int64?) -> [Decision] {
    analysis.experiments.flatMap { summary -> [Decision] in
      let refusal = "No decision: experiment \(analysis.names(ofExperiment: summary.id).title)"
      if let doubt = summary.doubts.first {
        return [Decision(doubt, refusal, summary, analysis)]
      }
      if analysis.flow.counting == .attempts {
        return [
          Decision(
            tone: .alarm, brief: refusal,
            text: "Every attempt is counted (count: attempts), and several attempts of one person "
              + "are not independent. Count people to decide (count: persons).")
        ]
      }
      if let reason = analysis.unmeasured.reason(ofExperiment: summary.id)
        ?? PlannedDecision.reasonForUnknownPrimary(analysis, summary)
      {
        return [Decision(tone: .alarm, brief: refusal, text: reason.sentence)]
      }
      let variants = summary.arms.map(\.variant).filter { variant in
        summary.comparisons.contains { $0.variant == variant }
      }
      return variants.map { variant in
        if let crossing = summary.crossing(variant) {
          let words = CrossingWords(crossing, analysis)
          return Decision(
            tone: .alarm, brief: "No decision: \(words.names.pair(variant, summary.control)) alone",
            text: words.claim.capitalizedFirst + " (\(words.numbers)). " + words.advice)
        }
        return PlannedDecision(analysis, summary, variant, horizon: horizon).map {
          Decision($0, honesty(analysis, summary, variant))
        } ?? Decision(analysis, summary, variant, horizon: horizon)
      }
    }
  }

  /// What to do about a doubt: of a split what the data say of it.
  private init(
    _ doubt: ExperimentDoubt, _ brief: String, _ summary: ExperimentSummary, _ analysis: Analysis
  ) {
    let remedy: String? =
      switch doubt {
      case .sampleRatioMismatch, .splitChanged: SplitSentences.remedy(summary, analysis)
      case .contaminated, .unassigned, .withoutAccount, .mixedAccounts: nil
      }
    self.init(
      tone: .alarm, brief: brief,
      text: doubt.reason.capitalizedFirst + ". " + (remedy ?? doubt.advice))
    if remedy != nil { kept = SplitSentences.shortRemedy }
  }

  /// The flow's own targets for a variant that are missed or not decided: `the targets “completion
  /// at least 80 %” and “day 7 retention no lower than the control’s” are undecided`.
  private static func openTargets(
    _ analysis: Analysis, _ experiment: String, _ variant: String
  ) -> String? {
    let open = TargetCheck.all(analysis).filter { check in
      func names(_ key: String, _ value: String) -> Bool {
        check.target.slice.contains { $0.from == key && $0.to == value }
      }
      return names("experiment", experiment) && names("variant", variant) && check.verdict != .met
    }
    guard !open.isEmpty else { return nil }
    let verdicts: [TargetCheck.Verdict] = [.missed, .unclear, .unknown]
    return verdicts.compactMap { verdict -> String? in
      let names = open.filter { $0.verdict == verdict }.map { "“\($0.claim(analysis.flow))”" }
      if names.isEmpty { return nil }
      let word = verdict == .unknown ? "without data" : verdict.rawValue
      return names.count == 1
        ? "the target \(names[0]) is \(word)" : "the targets \(names.listed) are \(word)"
    }.listed
  }

  /// Why nothing can be compared yet.
  private static func nobodyToCompare(_ summary: ExperimentSummary, _ variants: [String]) -> String
  {
    let arms = summary.arms.filter { variants.contains($0.variant) }
    guard arms.allSatisfy({ $0.entered == 0 }) else {
      return "Too few people of these variants have had the time that the numbers take."
    }
    guard summary.unassigned > 0 else { return "Nobody has met these variants yet." }
    return
      "None of the \(ReportWords.people(summary.inside)) has a variant. If they should, check "
      + "'experiment' and 'variant' in the flow file."
  }

  private init(tone: Tone, brief: String, text: String) {
    self.tone = tone
    self.brief = brief
    self.text = text
  }

  private init(_ planned: PlannedDecision, _ detail: String?) {
    self.init(tone: planned.tone, brief: planned.brief, text: planned.text)
    names = planned.names
    self.detail = detail
    switch planned.outcome {
    case .ship: conclusion = Conclusion(kind: .ship, metric: planned.primary)
    case .reject: conclusion = Conclusion(kind: .reject, metric: planned.primary)
    case .keepRunning, .undecidable: break
    }
  }

  /// ` If the true difference is the 15.8 points seen so far, about 730 more people (≈ 50 weeks at
  /// today’s pace) would probably show it. Waiting won’t …`
  ///
  /// - Parameter isQuiet: whether nobody joins any more, so that keeping it running shows nothing.
  private static func ofTheSeenDifference(
    _ comparison: MetricComparison, perWeek: Double?, isQuiet: Bool
  ) -> String? {
    let rates = comparison.comparedRates
    guard let missing = comparison.personsMissingForSeenDifference, let control = rates.control,
      let treatment = rates.treatment
    else { return nil }
    let seen = RateText.number(abs(treatment - control))
    guard MissingPersonsText.isWorthSaying(missing, perWeek: perWeek) else {
      return
        " A difference of the \(seen) points seen so far is too small to detect in a reasonable "
        + "time. "
        + MissingPersonsText.waitingIsNoUse
    }
    let needed = MissingPersonsText.people(Int(missing.rounded(.up)), perWeek: perWeek)
    return " If the true difference is the \(seen) points seen so far, \(needed) would probably "
      + "show it"
      + (isQuiet || MissingPersonsText.isFarOff(missing, perWeek: perWeek)
        ? ". \(MissingPersonsText.waitingIsNoUse)" : ". Keep it running.")
  }

  /// What is left to say of an experiment that has ended.
  private static func overWithout(_ completion: MetricComparison?) -> String {
    let couldShow = completion.flatMap(ReportWords.couldShow)
    return "No clear difference, and the experiment is over: nobody joins any more."
      + (couldShow.map { " \($0)" } ?? "")
  }

  /// What is left to say where no sample can be planned from the control's rate.
  private static func unplannable(_ completion: MetricComparison?) -> String? {
    guard let completion, let reason = completion.unplannable,
      case .tooEarly(nil) = completion.verdict
    else { return nil }
    return "No clear difference yet. \(reason.capitalizedFirst), so \(VerdictText.notKnown)."
  }

  /// What completion would need to be decided.
  ///
  /// - Parameter since: the day since which nobody has joined; `nil` while people do.
  private static func waiting(
    _ missing: Int, _ completion: MetricComparison?, _ analysis: Analysis, perWeek: Double?,
    since: String?
  ) -> String {
    let control = completion?.comparedRates.control
    let needs = MissingPersonsText.needs(
      missing, lift: analysis.flow.statistics.targetLift, of: control, perWeek: perWeek)
    let couldShow = completion.flatMap(ReportWords.couldShow)
    return "No clear difference yet. Completion \(needs)"
      + (since.map { ", and nobody has joined since \($0)." } ?? ".")
      + (couldShow.map { " \($0)" } ?? "")
      + (completion.flatMap {
        ofTheSeenDifference($0, perWeek: perWeek, isQuiet: since != nil)
      } ?? "")
      + (completion.flatMap(LookRule.price) ?? "")
  }

  private static func honesty(
    _ analysis: Analysis, _ summary: ExperimentSummary, _ variant: String
  ) -> String? {
    analysis.honesty.contains { $0.experiment == summary.id && $0.variant == variant }
      ? "Some rates among finishers point the other way: the variant changed who finishes. "
        + "Decide by the rates over all assigned." : nil
  }

  private init(
    _ analysis: Analysis, _ summary: ExperimentSummary, _ variant: String, horizon: Int64?
  ) {
    let comparisons = summary.comparisons.filter { $0.variant == variant }
    func names(_ tone: VerdictText.Tone) -> String {
      MetricWords.list(comparisons.filter { VerdictText($0).tone == tone }, analysis.flow)
    }
    let (better, worse) = (names(.good), names(.bad))
    let shown = comparisons.filter { VerdictText($0).tone != .neutral && $0.isRandomised }
    var rule = ""
    if let metric = shown.first(where: { $0.metric == .completionRate }) ?? shown.first {
      rule = LookRule(metric, in: summary).caveat.map { " \($0)" } ?? ""
      conclusion = Conclusion(
        kind: worse.isEmpty ? .better : better.isEmpty ? .worse : .tradeOff, metric: metric)
    }
    let completion = comparisons.first { $0.metric == .completionRate }
    let missing = completion.flatMap { VerdictText($0).missingPersons }
    self.names = analysis.names(ofExperiment: summary.id)
    let pair = analysis.names(ofExperiment: summary.id).pair(variant, summary.control)
    detail = Self.honesty(analysis, summary, variant)
    // Nobody planned when to look: a reader who looks every week must not miss that.
    let ready = rule.isEmpty ? "A decision can be taken" : "Decided at one look"
    switch (better.isEmpty, worse.isEmpty) {
    case (false, true):
      tone = .ready
      brief = "\(ready): \(pair)"
      text =
        "Better: \(better). Nothing got clearly worse"
        + (Self.openTargets(analysis, summary.id, variant).map { ", but \($0)" } ?? "") + "." + rule
    case (true, false):
      tone = .ready
      brief = "\(ready): \(pair)"
      text = "Worse: \(worse). Nothing is shown to be better.\(rule)"
    case (false, false):
      tone = .ready
      brief = "A trade-off to decide: \(pair)"
      text = "Better: \(better). Worse: \(worse).\(rule)"
    case (true, true):
      tone = .wait
      if let missing, missing > 0, analysis.isOver(summary.id, horizon: horizon) {
        brief = "Over, and undecided: \(pair)"
        text = Self.overWithout(completion)
      } else if let missing, missing > 0 {
        brief = "Too early to decide: \(pair)"
        let pace = analysis.pace(summary.id, horizon: horizon)
        text = Self.waiting(
          missing, completion, analysis, perWeek: pace?.perWeek([variant, summary.control]),
          since: pace?.quietSince)
      } else if let words = Self.unplannable(completion) {
        (brief, text) = ("Too early to decide: \(pair)", words)
      } else if !comparisons.contains(where: { $0.verdict == .noneShown }) {
        brief = "Too early to decide: \(pair)"
        text = Self.nobodyToCompare(summary, [variant, summary.control])
      } else {
        brief = "No difference shown: \(pair)"
        text = "Nothing is shown to be better or worse; the intervals below say what is excluded."
      }
      text += ClearestDifference(comparisons, analysis)?.remark ?? ""
    }
  }
}

extension PlannedDecision {
  package var tone: Decision.Tone {
    switch outcome {
    case .ship, .reject: .ready
    case .keepRunning: .wait
    case .undecidable: .alarm
    }
  }
}
