internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What a case's numbers are, and the test that they go into.
struct GateEvidence {
  /// How the case is decided.
  enum Judging {
    case test(any DropTest)
    /// All nights since the baseline together.
    case decline(SlowDecline)
    /// A number without an interval is taken as it is.
    case plain(isMet: Bool)
    /// There is no number; why not.
    case unknown(String)
    case invalid(String)
  }

  var judging: Judging
  var current: MetricRow?
  /// The other number of a comparison.
  var reference: MetricRow?
  /// `the baseline`, `control A`.
  var referenceName = ""
  /// How much worse is bearable, in the number's unit; `nil` for bounds.
  var margin: Double?
  /// For rates held against the baseline.
  var days: DayToDay?
  /// Of a rule that watches for a slow decline: the days that it looks at.
  var watched: WatchedDays?
  /// When the people began who are judged; `nil` for everyone in the data.
  var judged: DaySpan?
  /// When the people began against whom these are held, where rules have days of their own.
  var referenceBegan: DaySpan?

  /// Whether nobody has the number any more, though chance hardly explains that.
  private(set) var isGone = false

  var isInvalid: Bool {
    if case .invalid = judging { true } else { false }
  }

  /// Whether chance decides.
  var isTested: Bool {
    switch judging {
    case .test, .decline: true
    case .plain, .unknown, .invalid: false
    }
  }

  init(_ judging: Judging, current: MetricRow? = nil) {
    self.judging = judging
    self.current = current
  }

  /// A number that nobody has any more.
  init(gone sentence: String, current: MetricRow? = nil) {
    self.init(.invalid(sentence), current: current)
    isGone = true
  }
}

/// Finds the evidence for a case.
struct GateEvidenceSource {
  let analysis: Analysis
  let baseline: Baseline?
  /// Whether all people of the analysis have had the time that the rules' numbers take.
  let isSettled: Bool
  /// Everyone in the data, and the first judged day: what people of the days before had.
  var earlier: (analysis: Analysis, until: Int)?
  private var fingerprints: MetricFingerprints
  var cellsOfPlaces: [CellsPlace: ExperimentCells] = [:]

  struct CellsPlace: Hashable {
    var experiment: Int
    var breakdown: BreakdownKey
  }
  var flow: Flow { analysis.flow }

  init(_ analysis: Analysis, _ baseline: Baseline?, isSettled: Bool = false) {
    self.isSettled = isSettled
    fingerprints = MetricFingerprints(analysis.flow)
    self.analysis = analysis
    self.baseline = baseline
  }

  mutating func evidence(_ item: GateCase) -> GateEvidence {
    if analysis.row(.entered)?.numerator == 0 {
      return GateEvidence(.invalid("nobody entered the flow: there is nothing to judge"))
    }
    var evidence = found(item)
    // Otherwise a gate over yesterday's dumps would be green every night.
    if case .unknown = evidence.judging, let nobodyMature {
      evidence.judging = .invalid(nobodyMature)
    }
    return evidence
  }

  /// Why nothing can be judged yet, where no window is over.
  private var nobodyMature: String? {
    guard let entered = analysis.row(.entered)?.numerator, entered > 0,
      analysis.row(.persons)?.numerator == 0
    else { return nil }
    let window = RateText.duration(Double(flow.windowMilliseconds) / 1000)
    return "nobody's window is over: all of the \(CountText.of(entered, "person")) who began are "
      + "within their \(window). Judge people whose window is over: dumps that reach at least "
      + "\(window) beyond the days that are judged"
  }

  private mutating func found(_ item: GateCase) -> GateEvidence {
    if let gone = GoneGroup(item, analysis, baseline) {
      return GateEvidence(gone: gone.sentence)
    }
    if let gone = GoneVariants(item, analysis, baseline, earlier: earlier) {
      return GateEvidence(gone: gone.sentence)
    }
    if let reason = item.emptiness { return GateEvidence(.unknown(reason)) }
    let found = analysis.number(item.metric, step: item.step, in: item.slice)
    if let reason = analysis.unmeasured.reason(
      for: item.metric, step: item.step, in: item.slice)
    {
      // Unknown is not 0, so no number is shown either.
      var row = found
      row?.value = nil
      row?.low = nil
      row?.high = nil
      if let gone = GoneNumber(item, analysis, baseline, isNoFault: reason.isNoFault) {
        return GateEvidence(gone: "\(reason.sentence) \(gone.sentence)", current: row)
      }
      return GateEvidence(.unknown(reason.sentence), current: row)
    }
    if let gone = goneAmongJudged(item) {
      return GateEvidence(gone: gone.sentence, current: found)
    }
    guard let row = found else {
      return GateEvidence(.unknown("the data has no such number yet"))
    }
    switch item.rule.demand {
    case .atLeast(let bound): return self.bound(item, row, bound, isLeast: true)
    case .atMost(let bound): return self.bound(item, row, bound, isLeast: false)
    case .notWorse(let reference, let margin):
      return comparison(item, row, against: reference, margin)
    }
  }

  // MARK: Bounds

  private func bound(
    _ item: GateCase, _ row: MetricRow, _ bound: Double, isLeast: Bool
  ) -> GateEvidence {
    let margin = item.rule.margin
    if let sample = proportion(row, isFlipped: !isLeast) {
      guard sample.trials > 0 else {
        return nobody(item, row)
      }
      let test = RateBound(
        sample: sample, atLeast: isLeast ? bound : 1 - bound,
        margin: margin.isRelative ? margin.amount * bound : margin.amount)
      return GateEvidence(.test(test), current: row)
    }
    if let quantile = MetricCatalog.quantile(of: item.metric) {
      let sample = durations(item, quantile.measure)
      let share = Double(quantile.percent) / 100
      let margin = margin.isRelative ? margin.amount * bound : margin.amount
      let test: any DropTest =
        isLeast
        ? QuantileFall(sample: sample, share: share, limit: bound, margin: margin)
        : QuantileRise(
          sample: sample, share: share, limit: bound, referenceTrials: nil, margin: margin)
      return GateEvidence(.test(test), current: row)
    }
    guard let value = row.value else {
      return GateEvidence(.unknown("nobody counts for it yet"), current: row)
    }
    if let low = row.low, let high = row.high {
      let own = EstimateWithInterval(
        estimate: value, interval: Interval(lower: low, upper: high))
      let test = intervalBound(item, row, own, bound, isLeast: isLeast)
      return GateEvidence(.test(test), current: row)
    }
    return GateEvidence(.plain(isMet: isLeast ? value >= bound : value <= bound), current: row)
  }

  /// Lifts and differences: by the score test of the two rates where it is theirs, else by their
  /// interval. What must not be above a bound is turned over.
  private func intervalBound(
    _ item: GateCase, _ row: MetricRow, _ own: EstimateWithInterval, _ bound: Double,
    isLeast: Bool
  ) -> IntervalBound {
    let isLift = row.unit == .ratio
    let pair = analysis.pair(item)
    func turned(_ value: Double) -> Double {
      isLeast ? value : isLift ? 1 / max(1 + value, 1e-9) - 1 : -value
    }
    // The row's interval is at the level at which the report decides; the gate has its own.
    let found = pair?.estimate ?? own
    let ends = [turned(found.interval.lower), turned(found.interval.upper)]
    let margin = item.rule.margin
    return IntervalBound(
      EstimateWithInterval(
        estimate: turned(found.estimate),
        interval: Interval(lower: ends.min() ?? 0, upper: ends.max() ?? 0)),
      atLeast: turned(bound),
      margin: margin.isRelative ? margin.amount * bound.magnitude : margin.amount,
      trials: pair?.trials ?? timed(item),
      isLift: isLift, comparison: pair?.comparison, tuning: pair?.tuning, isTurned: !isLeast,
      alphaShare: pair?.alphaShare ?? 1)
  }

  /// Whose durations a difference of them compares: those of both arms who have one.
  private func timed(_ item: GateCase) -> Int {
    var slices = [item.slice]
    if let control = analysis.control(of: item.slice.experiment) {
      slices.append(Slice(experiment: item.slice.experiment, variant: control))
    }
    let metric = item.metric.comparison == .difference ? item.metric.comparedNumber : item.metric
    let measure = metric.flatMap { MetricCatalog.quantile(of: $0) }
    let name = measure?.measure.numberOfValues ?? .persons
    let step = measure == nil ? "all" : item.step
    let counts = slices.map { analysis.row(name, step: step, in: $0)?.numerator ?? 0 }
    return max(1, counts.reduce(0, +))
  }

  // MARK: Comparisons

  private mutating func comparison(
    _ item: GateCase, _ row: MetricRow, against reference: GateRule.Reference,
    _ margin: GateRule.Margin
  ) -> GateEvidence {
    let other: (row: MetricRow?, name: String, trials: Int?)
    switch reference {
    case .control:
      var slice = item.slice
      guard let control = analysis.control(of: slice.experiment) else {
        return GateEvidence(.unknown("the experiment has no control"), current: row)
      }
      // The counts of all periods together would take a change of the split for an effect.
      if let experiment = flow.experiments.first(where: { $0.id == slice.experiment }),
        experiment.splits.count > 1
      {
        guard item.rule.adjustedFor.isEmpty else {
          return GateEvidence(
            .invalid(
              "the split of \(SafeText.name(experiment.id)) changed: it is compared within its "
                + "periods, and can't be adjusted for a dimension as well"), current: row)
        }
        return withinPeriods(item, row, experiment, margin)
      }
      slice.variant = control
      if let dimension = item.rule.adjustedFor.first {
        return adjusted(
          item, row, dimension, against: slice, margin, name: "control \(SafeText.name(control))",
          nil)
      }
      other = (
        analysis.number(item.metric, step: item.step, in: slice),
        "control \(SafeText.name(control))",
        count(item, slice) { analysis.row($0, step: item.step, in: $1) }
      )
    case .baseline:
      guard let baseline else {
        return GateEvidence(.invalid("there is no baseline"), current: row)
      }
      if let problem = mismatch(item, baseline) {
        return GateEvidence(.invalid(problem), current: row)
      }
      if item.rule.isSlowDecline { return decline(item, row, baseline, margin) }
      if let dimension = item.rule.adjustedFor.first {
        return adjusted(
          item, row, dimension, against: item.slice, margin, name: "the baseline", baseline)
      }
      other = (
        baseline.row(item.metric, step: item.step, in: item.slice), "the baseline",
        count(item, item.slice) { baseline.row($0, step: item.step, in: $1) }
      )
    }
    guard let base = other.row, base.value != nil else {
      return GateEvidence(
        missing(item, other.name, hasRow: other.row != nil, reference), current: row)
    }
    return compare(
      item, row, base, other.name, other.trials, margin,
      reference == .baseline ? self.baseline : nil)
  }

  private func compare(
    _ item: GateCase, _ row: MetricRow, _ base: MetricRow, _ name: String, _ trials: Int?,
    _ margin: GateRule.Margin, _ baseline: Baseline?
  ) -> GateEvidence {
    let points = margin.isRelative ? margin.amount * (base.value ?? 0) : margin.amount
    let isFlipped = item.rule.better == .lower
    var evidence: GateEvidence
    if let own = proportion(row, isFlipped: isFlipped),
      let other = proportion(base, isFlipped: isFlipped)
    {
      guard own.trials > 0 else {
        return nobody(item, row)
      }
      // Flipped, a share of the rate is no share of what is tested: the points are.
      let (amount, isRelative) =
        isFlipped ? (points, false) : (margin.amount, margin.isRelative)
      if let baseline {
        let found = drop(item, own, other, baseline, margin: amount, isRelative: isRelative)
        evidence = GateEvidence(.test(found.test), current: row)
        evidence.days = found.days
      } else {
        // Both sides have the same days.
        let test = againstControl(item, own, other, margin: amount, isRelative: isRelative)
        evidence = GateEvidence(.test(test), current: row)
      }
    } else if let quantile = MetricCatalog.quantile(of: item.metric), let limit = base.value {
      let test = QuantileRise(
        sample: durations(item, quantile.measure), share: Double(quantile.percent) / 100,
        limit: limit, referenceTrials: trials ?? 0, margin: points)
      evidence = GateEvidence(.test(test), current: row)
    } else {
      evidence = GateEvidence(.unknown("the number can't be compared"), current: row)
    }
    evidence.reference = base
    evidence.referenceName = name
    evidence.margin = points
    return evidence
  }

  /// A variant's rate against its control's: by the sequence that holds at every look where the
  /// experiment is declared `sequential`, as in its report.
  private func againstControl(
    _ item: GateCase, _ own: Proportion, _ other: Proportion, margin: Double, isRelative: Bool
  ) -> any DropTest {
    let experiment = flow.experiments.first { $0.id == item.slice.experiment }
    if experiment?.isSequential == true,
      let test = StratifiedDrop(
        StratifiedComparison(treatment: own, control: other), margin: margin,
        isRelative: isRelative, tuning: analysis.sequentialTuning)
    {
      return test
    }
    return RateDrop(current: own, reference: other, margin: margin, isRelative: isRelative)
  }

  /// Persons with a duration, on the other side.
  private func count(
    _ item: GateCase, _ slice: Slice, _ find: (MetricName, Slice) -> MetricRow?
  ) -> Int? {
    MetricCatalog.quantile(of: item.metric).flatMap {
      find($0.measure.numberOfValues, slice)?.numerator
    }
  }

  mutating func mismatch(_ item: GateCase, _ baseline: Baseline) -> String? {
    guard let before = baseline.fingerprint(ofMetric: item.metric, step: item.step) else {
      return item.rule.forEach.isEmpty
        ? "the baseline has no '\(item.metric)'; accept a new one with check --accept" : nil
    }
    if before == fingerprints.fingerprint(of: item.metric, step: item.step) { return nil }
    if baseline.semanticsVersion != Flow.semanticsVersion {
      return "the baseline was counted by version \(baseline.semanticsVersion) of the rules, this "
        + "by version \(Flow.semanticsVersion)"
    }
    return "the baseline was counted otherwise: \(SafeText.name(baseline.difference(from: flow)))"
  }

  func proportion(_ row: MetricRow, isFlipped: Bool) -> Proportion? {
    // A rate that was not measured has counts and no value.
    guard row.unit == .rate, let numerator = row.numerator, let denominator = row.denominator,
      row.value != nil || denominator == 0
    else { return nil }
    return Proportion(
      successes: isFlipped ? denominator - numerator : numerator, trials: denominator)
  }

  /// In seconds.
  private func durations(_ item: GateCase, _ name: MetricName) -> ValueCounts {
    let measure: TimeMeasure? =
      switch name {
      case .timeOnStep: flow.stepIndex(item.step).map { .step($0) }
      case .timeToMoveOn: flow.stepIndex(item.step).map { .moveOn($0) }
      case .timeToGoal: flow.goals.firstIndex { $0.id == item.step }.map { .goal($0) }
      default: .complete
      }
    let buckets = measure.flatMap { analysis.times[item.slice]?[$0]?.buckets } ?? []
    return ValueCounts(buckets.map { (Double($0.lowerEdgeMilliseconds) / 1000, $0.count) })
  }
}
