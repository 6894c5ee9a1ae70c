internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// One metric of two variants in words: what it claims, and the numbers behind the claim.
struct ComparedWords {
  let comparison: MetricComparison
  let verdict: VerdictText
  private let analysis: Analysis
  private let horizon: Int64?
  /// What the plan of the experiment says, if it has one.
  private let planned: PlannedDecision?
  private let treatment: Datum
  private let control: Datum
  private let difference: Datum

  /// `nil` where a variant has no rate.
  init?(_ comparison: MetricComparison, _ analysis: Analysis, horizon: Int64?) {
    func datum(_ metric: MetricName, _ variant: String) -> Datum? {
      analysis.datum(
        metric, step: comparison.step,
        in: Slice(experiment: comparison.experiment, variant: variant))
    }
    let metric = comparison.metric
    guard let treatment = datum(metric, comparison.variant), treatment.row.value != nil,
      let control = datum(metric, comparison.control), control.row.value != nil,
      let difference = datum(metric.compared(by: .difference), comparison.variant),
      difference.row.value != nil
    else { return nil }
    self.comparison = comparison
    self.analysis = analysis
    self.horizon = horizon
    (self.treatment, self.control, self.difference) = (treatment, control, difference)
    verdict = VerdictText(comparison)
    planned = analysis.experiments.first { $0.id == comparison.experiment }.flatMap {
      PlannedDecision(analysis, $0, comparison.variant, horizon: horizon)
    }
  }

  /// Shown by a single look before the one that was planned: nothing is decided by it.
  var isBeforeItsTime: Bool {
    guard let planned, !comparison.isSequential, comparison.phase == nil else { return false }
    return planned.outcome == .keepRunning || planned.outcome == .undecidable
  }

  /// How it is meant, for the finding's sign.
  var tone: VerdictText.Tone { isBeforeItsTime ? .neutral : verdict.tone }

  private var name: String {
    MetricWords.of(comparison.metric, step: comparison.step, analysis.flow)
  }

  /// `completion 68.7 % → 84.2 %`
  private var change: Sentence { "\(name) \(rates)" }

  /// The rates of everyone are not what is compared: it is done within periods of one split, or of
  /// the planned people alone.
  private var comparesOthers: Bool { comparison.isWithinPeriods || comparison.isAtPlannedSize }

  /// From the control to the variant.
  private var rates: Sentence {
    comparesOthers
      ? "\(difference.saidSigned) points" : "\(control.saidRate) → \(treatment.saidRate)"
  }

  /// `short: completion +16.6 points, but day 7 retention −10.1 points.`, where something is worse;
  /// else ``claim``.
  func claim(but worse: [ComparedWords]) -> Sentence {
    guard !worse.isEmpty else { return claim }
    let soFar = isBeforeItsTime ? self.soFar : ""
    let losses = worse.map { "\($0.name) \($0.difference.saidSigned) points" as Sentence }
    return """
      \(analysis.names(ofExperiment: comparison.experiment).variant(comparison.variant))\(soFar): \
      \(name) \(difference.saidSigned) points, but \(losses.joined(separator: " and ")).
      """
  }

  /// Of what is shown before the plan decides.
  private var soFar: String {
    planned?.isOver == true ? " (not decided)" : " so far (not decided yet)"
  }

  /// `short is better than long: completion 68.7 % → 84.2 %.`
  var claim: Sentence {
    let names = analysis.names(ofExperiment: comparison.experiment)
    let variant = names.variant(comparison.variant)
    let control = names.variant(comparison.control)
    switch comparison.verdict {
    case .higher where isBeforeItsTime, .lower where isBeforeItsTime:
      return "\(variant) is \(verdict.word) than \(control)\(soFar): \(change)."
    case .higher, .lower: return "\(variant) is \(verdict.word) than \(control): \(change)."
    case .withinMargin, .beyondMargin:
      return "\(variant) against \(control): the guardrail \(verdict.word), \(change)."
    case .tooEarly:
      return "Too early to say whether \(variant) changes \(name): \(rates) so far."
    case .noneShown: return "No difference shown between \(variant) and \(control): \(change)."
    case nil: return "No verdict on \(variant) against \(control): \(change)."
    }
  }

  /// `+15.5 points, 99.7 % CI +2.7 to +28.3, adjusted p = 0.0062; 125 of 182 people against 160 of
  /// 190`, and what a verdict rests on that the claim doesn't name.
  var numbers: Sentence {
    let isNamed = comparison.verdict == .higher || comparison.verdict == .lower
    let basis = isNamed || verdictWords == verdict.word ? "" : ": \(verdictWords)"
    return "\(measured)\(counts)\(basis)"
  }

  /// `day 7 retention 11.8 % → 11.4 % (…): too early: needs about …`
  var sentence: Sentence { "\(numbersOfChange): \(verdictWords)." }

  /// Of the clearest of the undecided differences.
  var clearest: Sentence { "\(numbersOfChange): \(ClearestDifference.reason)." }

  /// What is compared within periods has no rates, and its difference is the first of the numbers.
  private var numbersOfChange: Sentence {
    comparesOthers ? "\(name) \(measured)\(counts)" : "\(change) (\(measured)\(counts))"
  }

  private var measured: Sentence {
    let slice = Slice(experiment: comparison.experiment, variant: comparison.variant)
    let adjusted = analysis.datum(
      comparison.metric.compared(by: .adjustedP), step: comparison.step, in: slice
    )?.saidProbability
    // "p > 0.999" reads as proof that there is nothing. It is what an interval about zero says.
    let isTelling = (comparison.pAdjusted ?? 1) <= 0.999
    let p: Sentence = isTelling ? adjusted.map { ", adjusted \($0)" } ?? "" : ""
    let within =
      comparison.isAtPlannedSize
      ? " among the planned people"
      : comparison.isWithinPeriods ? " within the periods of one split" : ""
    let strata =
      comparison.stratification.map { " stratified by \($0.dimensions.listed)" }
      ?? comparison.clustering.map { " by \($0.name)" } ?? ""
    let always = comparison.isSequential ? " (valid at every check)" : ""
    return "\(difference.saidPoints)\(strata)\(within)\(always)\(p)"
  }

  private var counts: Sentence {
    if comparison.isAtPlannedSize { return "" }
    return """
      ; \(control.saidCount) of \(control.saidTotal) people against \(treatment.saidCount) of \
      \(treatment.saidTotal)
      """
  }

  private var verdictWords: String {
    let perWeek = analysis.pace(comparison.experiment, horizon: horizon)?
      .perWeek([comparison.variant, comparison.control])
    return verdict.sentence(perWeek: perWeek)
  }
}
