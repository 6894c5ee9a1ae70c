public import ExperimentStatistics
public import FlowDefinition
internal import ReportText

/// One metric of one variant against the control's: difference, lift, test, verdict.
public struct MetricComparison: Sendable {
  /// The experiment's id.
  public var experiment: String
  /// The variant's id.
  public var variant: String
  /// The id of the control that it is held against.
  public var control: String
  /// The rate's name, as in `metrics.csv`.
  public var metric: MetricName
  /// The goal, permission …; `all` where the metric has none.
  public var step: String
  /// The variant's people who are compared: where the split changed, those of periods with both
  /// variants.
  public var treatmentRate: Proportion
  /// The control's people who are compared, likewise.
  public var controlRate: Proportion
  /// Both proportions by period of one split and by stratum; the comparison is within them.
  public var periods: StratifiedComparison
  /// The variant's rate − the control's (Miettinen–Nurminen, stratified), or its always-valid form,
  /// at ``intervalLevel``.
  /// their always-valid forms, at ``intervalLevel``.
  public var difference: Estimate<EstimateWithInterval>
  /// The relative lift, rate / control's rate − 1, likewise.
  public var lift: Estimate<EstimateWithInterval>
  /// The level that decides: the intervals leave out 0 exactly where the verdict is that the rate
  /// is higher or lower.
  public var intervalLevel: Double
  /// Two-sided score test; of an experiment with a planned size divided by the share of alpha that
  /// is spent, so that it is held against alpha whichever look decides.
  public var p: Double?
  /// Adjusted over all metrics and variants of the experiment that are decided together, by the
  /// correction of the flow; `nil` of a guardrail, which is held against its margin.
  public var pAdjusted: Double?
  /// Shown where a cell is under 5; never decides.
  public var fisherP: Double?
  /// Of the uniform prior, or of ``posterior`` where the flow declares one.
  public var probabilityBetter: Double?
  /// What choosing the variant costs on average, in rate points: the expectation of
  /// max(0, control's rate − variant's rate).
  public var expectedLoss: Double?
  /// The smallest relative lift this sample could have shown with the power asked for.
  public var smallestDetectableLift: Double?
  /// The smallest difference that this sample could have shown with the power asked for, in the
  /// direction of the one that is seen; without its sign, in rate points.
  public var smallestDetectableDifference: Double?
  /// How many more trials each group needs to show the difference that is seen, were it the true
  /// one; `nil` where none is seen or nothing is known.
  package var missingForSeenDifference: Power.SampleSize?
  /// The relative lift that was looked for.
  public var targetLift: Double
  /// Intervals and p hold at every look, not only at the last; `nil` for a single look.
  public var tuning: SequentialTuning?
  /// `nil` where the experiment can't be judged, and where people are compared who weren't
  /// randomised.
  public var verdict: Verdict?
  /// The part that the metric has in the experiment's plan.
  public var role = MetricRole.together
  /// How many more trials each group needs to show the lift that is looked for, or that a
  /// guardrail holds; `nil` where no number would do.
  public var missing: Power.SampleSize?
  /// Everybody assigned is compared; else only those who got somewhere after entry, in whom the
  /// variant has a part: nothing is tested (definitions 6.8).
  public var isRandomised = true

  /// Whether p and intervals hold at every look, not only at the last.
  public var isSequential: Bool { tuning != nil }
  /// More skipping is worse; of everything else that is compared, more is better.
  var lowerIsBetter: Bool { [.skipRate, .usedSkipRate].contains(metric) }
  /// The split changed, so that rates are compared within its periods and not over all of them.
  public var isWithinPeriods = false
  /// Rates are compared within the values of a dimension; `nil` where they are not.
  public var stratification: Stratification?
  /// Rates are compared by the accounts that people belong to; `nil` where they are not.
  public var clustering: Clustering?
  /// Of an experiment with a declared prior of its lifts.
  public var posterior: LiftPosterior?
  /// Of an experiment with a planned size: whether it is looked at every day, or decided.
  public var phase: LookPhase?
  /// The rates that are compared are weighted ones.
  var isStandardised: Bool { periods.strata.count > 1 }
  /// The rates that are compared are other than those of everybody with the variant.
  package var hasOwnRates: Bool { isStandardised || isAtPlannedSize }
  /// The planned people are compared, and not all who have entered by now.
  package var isAtPlannedSize: Bool { if case .planned = phase { true } else { false } }

  /// Nobody of one of the groups counts yet: the time that the rate takes is over for none.
  package var isTooYoung: Bool { treatmentRate.trials == 0 || controlRate.trials == 0 }

  /// `none of the control’s 5 people did it`: from such a rate no sample can be planned, and
  /// that it is exactly 0, or 100 %, is not known; `nil` of other rates.
  package var unplannable: String? {
    guard controlRate.trials > 0, let rate = comparedRates.control, rate == 0 || rate == 1 else {
      return nil
    }
    if controlRate.trials == 1 {
      return "the control’s only person \(rate == 0 ? "did not do it" : "did it")"
    }
    let people = "\(NumberText.grouped(controlRate.trials)) people"
    return rate == 0
      ? "none of the control’s \(people) did it" : "all of the control’s \(people) did it"
  }

  package var rates: ProportionComparison {
    ProportionComparison(treatment: treatmentRate, control: controlRate)
  }

  /// The rates that are compared: standardised where there are periods or strata.
  public var comparedRates: (treatment: Double?, control: Double?) {
    if !isStandardised { return (treatmentRate.estimate, controlRate.estimate) }
    return (periods.rates?.treatment, periods.rates?.control)
  }

  /// How many more people would probably show the difference that is seen, were it the true one;
  /// infinite where none is seen or no number would do, `nil` where it would show by now or
  /// nothing is known.
  package var personsMissingForSeenDifference: Double? {
    let rates = comparedRates
    guard smallestDetectableDifference != nil, let control = rates.control,
      let treatment = rates.treatment
    else { return nil }
    guard treatment != control, let missing = missingForSeenDifference else { return .infinity }
    return missing.total > 0 ? Double(missing.total) : nil
  }

  /// The difference with its interval at any level: always valid where the experiment is looked at
  /// every day.
  package func difference(level: Double) -> Estimate<EstimateWithInterval> {
    let level = spent(level)
    guard let tuning else { return periods.difference(level: level) }
    return ConfidenceSequence.difference(periods, level: level, tuning: tuning)
  }

  /// The level of one phase of an experiment with a planned size, so that both phases together
  /// have the level asked for.
  private func spent(_ level: Double) -> Double {
    phase.map { 1 - $0.alphaShare * (1 - level) } ?? level
  }

  /// The relative lift with its interval at any level.
  package func lift(level: Double) -> Estimate<EstimateWithInterval> {
    let level = spent(level)
    guard let tuning else { return periods.relativeLift(level: level) }
    return ConfidenceSequence.relativeLift(periods, level: level, tuning: tuning)
  }
}

/// One experiment of a flow.
public struct ExperimentSummary: Sendable {
  /// A variant of the experiment with its people; undeclared variants have one too.
  public struct Arm: Sendable, Hashable {
    /// The variant's id.
    public var variant: String
    /// The share of people that the split intends for it, 0 to 1; of several splits their mean,
    /// weighted by who entered under each. `nil` for an undeclared variant.
    public var share: Double?
    /// Persons who entered with this variant; with an exposure only those who were exposed.
    public var entered: Int
    /// Those of ``entered`` whose window is over: all rates are of them.
    public var persons: Int
    /// Persons seen with this variant and another.
    public var contaminated: Int
    /// All who entered with this variant, exposed or not; `nil` where exposure isn't declared.
    public var assigned: Int?
    /// How many of all assigned, mature ones, finished; `nil` likewise.
    public var assignedCompletion: Proportion?
  }
  /// The experiment's id, as the flow file has it.
  public var id: String
  /// The control's id.
  public var control: String
  /// The variants: declared ones in the flow's order, then others by the bytes of their names.
  public var arms: [Arm]
  /// Persons who entered and have no variant.
  public var unassigned: Int
  /// Persons who entered before the experiment began or after it ended.
  public var outside: Int
  /// Persons who entered while it ran: among whom the contaminated are.
  public var inside: Int
  /// Mature persons who have a variant, or could have one.
  public var coverage: ExperimentCoverage
  /// Persons seen with more than one variant.
  public var contaminated: Int
  /// The test of all who entered against the declared split, of each period its own: always valid
  /// where the experiment is looked at every day, else exact or by chi-square.
  public var sampleRatio: Estimate<SampleRatioTest>
  /// The test over everybody assigned, exposed or not; `nil` where exposure isn't declared.
  public var assignedRatio: Estimate<SampleRatioTest>?
  /// The test of the variants' shares over time; `nil` where there is nothing to compare.
  public var splitDrift: SplitDrift?
  /// Of an experiment that is compared by accounts.
  public var accounts: AccountCounts?
  /// Where the split is off, if it is: values of dimensions known at entry, and versions, whose
  /// people are split otherwise than those of the dimension's other values.
  public var mismatchedSegments: [SplitSegment]
  /// Dimensions whose values don't differ in it beyond chance, as far as they can be compared.
  public var alikeDimensions: [String]
  /// Variants that nobody was given before some date, while others were.
  public var lateVariants: [LateVariant]
  /// The reasons why no verdict is given; empty where verdicts are given.
  public var doubts: [ExperimentDoubt]
  /// Each rate of each variant against the control's: what is tested first, by variants, then what
  /// is not randomised.
  public var comparisons: [MetricComparison]
  /// What goals with a `value` add up to, a person.
  public var values: [ValueComparison]
  /// What the interim analyses of each variant saw; empty where no verdict is given.
  public var diaries: [ExperimentDiary]
  /// Where a variant is shown to do more for some people than for others; mostly empty.
  public var effectDifferences: [EffectDifference]

  /// The split is not the declared one.
  public var hasSampleRatioMismatch: Bool { doubts.contains(.sampleRatioMismatch) }

  /// The accounts aren't split as declared, as their people have several variants.
  public var hasMixedAccounts: Bool {
    doubts.contains { if case .mixedAccounts = $0 { true } else { false } }
  }

  /// Whether even all people in the smallest variant would not be called a mismatch: of so few a
  /// split says nothing.
  package var hasTooFewForSplit: Bool {
    let declared = arms.filter { $0.share != nil }
    let shares = declared.map { $0.share ?? 0 }
    let people = declared.reduce(0) { $0 + $1.entered }
    guard let least = shares.min(), let place = shares.firstIndex(of: least) else { return false }
    let extreme = shares.indices.map { $0 == place ? people : 0 }
    let test = SampleRatio.check(periods: [extreme], expectedShares: [shares])
    return test.value.map { $0.pValue >= ExperimentDoubt.sampleRatioAlpha } ?? false
  }

  /// The shares of the variants change over time.
  public var hasChangingSplit: Bool {
    doubts.contains { if case .splitChanged = $0 { true } else { false } }
  }

  /// The exposed are split as declared; everybody assigned is not.
  public var isMismatchOfAssigned: Bool {
    hasSampleRatioMismatch
      && (sampleRatio.value?.pValue ?? 1) >= ExperimentDoubt.sampleRatioAlpha
  }
}

/// Finishers against skippers: what people chose, not what was done to them.
public struct ObservationalLift: Sendable {
  /// The persons whose finishers and skippers are compared.
  public var slice: Slice
  /// The measure, such as `retention_d7`.
  public var metric: MetricName
  /// Those who came back, of those who finished without a skip.
  public var finished: Proportion
  /// Those who came back, of those who skipped for good.
  public var skipped: Proportion
  /// The finishers' rate over the skippers', minus 1, with its score interval at 95 %.
  public var raw: Estimate<EstimateWithInterval>
  /// Mantel–Haenszel over version, variants, dimensions known at entry and start week; only for the
  /// slice of all persons.
  public var stratified: Estimate<EstimateWithInterval>?
  /// The persons on whom the stratified lift rests: finishers and skippers of the groups that have
  /// both.
  public var alike: ProportionComparison?
  /// How strong a hidden cause would have to be, as a risk ratio with both, to explain the raw
  /// lift.
  public var eValue: Double?

  /// Whether the raw lift's interval leaves no lift out: what chance may explain needs no hidden
  /// cause (VanderWeele and Ding 2017: the E-value of the interval's limit is 1 otherwise).
  package var isBeyondChance: Bool {
    raw.value.map { $0.interval.lower > 0 || $0.interval.upper < 0 } ?? false
  }
}

// What choosing the variant costs on average, where it is worse: fewer who finish, more who skip.
extension MetricComparison {
  /// With uniform priors of both rates.
  static func expectedLoss(_ pair: ProportionComparison, of metric: MetricName) -> Double? {
    isLessBetter(metric)
      ? BetaBinomial.expectedLoss(treatment: pair.control, control: pair.treatment).value
      : BetaBinomial.expectedLoss(treatment: pair.treatment, control: pair.control).value
  }

  static func expectedLoss(_ posterior: LiftPosterior, of metric: MetricName) -> Double {
    posterior.expectedLoss(isLessBetter: isLessBetter(metric))
  }

  private static func isLessBetter(_ metric: MetricName) -> Bool {
    MetricCatalog.betterDirection(metric) == .lower
  }
}
