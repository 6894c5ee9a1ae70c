import ExperimentStatistics
import Testing

/// No NaN, no infinity and no trap, whatever the counts.
@Suite struct FuzzTests {
  /// Counts that are small, round, huge, equal to each other or impossible.
  static func count(_ random: inout SplitMix64) -> Int {
    switch random.next() % 8 {
    case 0: Int.random(in: 0...6, using: &random)
    case 1: [0, 1, 2, 100_000_000, 4_500_000_000_000_000, .max - 1, .max][Int(random.next() % 7)]
    case 2: -Int.random(in: 0...5, using: &random)
    case 3: Int.random(in: 0...Int.max, using: &random)
    default: Int(random.next() >> UInt64.random(in: 20...63, using: &random))
    }
  }

  static func proportion(_ random: inout SplitMix64) -> Proportion {
    let trials = count(&random)
    switch random.next() % 6 {
    case 0: return Proportion(successes: 0, trials: trials)
    case 1: return Proportion(successes: trials, trials: trials)
    case 2: return Proportion(successes: trials - Int(random.next() % 4), trials: trials)
    case 3: return Proportion(successes: Int(random.next() % 4), trials: trials)
    default:
      let share = Double.random(in: 0...1, using: &random)
      return Proportion(successes: Int(Double(max(0, trials)) * share * 0.999), trials: trials)
    }
  }

  static func level(_ random: inout SplitMix64) -> Double {
    [0.95, 0.5, 0.01, 0.999, 1 - 1e-9, 1 - 1e-6, 1 - 1e-16, 1, 0, -1, .nan][Int(random.next() % 11)]
  }

  private func isSound(_ interval: Interval?) -> Bool {
    guard let interval else { return true }
    return interval.lower.isFinite && interval.upper.isFinite && interval.lower <= interval.upper
  }

  private func isSound(_ estimate: EstimateWithInterval?) -> Bool {
    guard let estimate else { return true }
    return estimate.estimate.isFinite && isSound(estimate.interval)
      && estimate.interval.contains(estimate.estimate)
  }

  private func isShare(_ value: Double?) -> Bool {
    value.map { $0 >= 0 && $0 <= 1 } ?? true
  }

  @Test func `one proportion`() {
    var random = SplitMix64(seed: 101)
    for _ in 0..<(SlowRuns.factor * 4_000) {
      let proportion = Self.proportion(&random)
      let level = Self.level(&random)
      for interval in [
        ProportionIntervals.wilson(proportion, level: level),
        ProportionIntervals.clopperPearson(proportion, level: level),
        BetaBinomial.credibleInterval(of: proportion, level: level),
      ] {
        #expect(isSound(interval.value), "\(proportion) \(level)")
        #expect(isShare(interval.value?.lower) && isShare(interval.value?.upper))
      }
    }
  }

  @Test func `two proportions`() {
    var random = SplitMix64(seed: 102)
    for _ in 0..<(SlowRuns.factor * 4_000) {
      let comparison = ProportionComparison(
        treatment: Self.proportion(&random), control: Self.proportion(&random))
      let level = Self.level(&random)
      let test = comparison.scoreTest().value
      #expect(test?.statistic.isFinite ?? true, "\(comparison)")
      #expect(isShare(test?.twoSidedP) && isShare(test?.greaterP) && isShare(test?.lessP))
      #expect(isSound(comparison.difference(level: level).value), "\(comparison) \(level)")
      #expect(isSound(comparison.relativeLift(level: level).value), "\(comparison) \(level)")
      #expect(isShare(comparison.fisherExact().value), "\(comparison)")
      for supposed in [-1, -0.3, 1e-9, 1, 2, .nan] {
        let other = comparison.scoreTest(ofDifference: supposed).value
        #expect(other?.statistic.isFinite ?? true, "\(comparison) \(supposed)")
        let ratio = comparison.scoreTest(ofRatio: supposed).value
        #expect(ratio?.statistic.isFinite ?? true, "\(comparison) \(supposed)")
      }
    }
  }

  @Test func `two posteriors`() {
    var random = SplitMix64(seed: 103)
    for round in 0..<(SlowRuns.factor * 1_500) {
      let treatment = Self.proportion(&random)
      let control = Self.proportion(&random)
      let level = Self.level(&random)
      let better = BetaBinomial.probabilityBetter(treatment: treatment, control: control).value
      let loss = BetaBinomial.expectedLoss(treatment: treatment, control: control).value
      #expect(isShare(better), "\(treatment) \(control)")
      #expect(isShare(loss), "\(treatment) \(control)")
      // The quadratures take longer.
      guard round % 10 == 0 else { continue }
      let difference = BetaBinomial.credibleDifference(
        treatment: treatment, control: control, level: level)
      let lift = BetaBinomial.credibleLift(treatment: treatment, control: control, level: level)
      #expect(isSound(difference.value), "\(treatment) \(control) \(level)")
      #expect(isSound(lift.value), "\(treatment) \(control) \(level)")
    }
  }

  @Test func `sequences, strata and plans`() {
    var random = SplitMix64(seed: 104)
    for _ in 0..<(SlowRuns.factor * 3_000) {
      let comparison = ProportionComparison(
        treatment: Self.proportion(&random), control: Self.proportion(&random))
      let (treatment, control) = (comparison.treatment, comparison.control)
      let level = Self.level(&random)
      let tuning = Self.count(&random)
      let difference = ConfidenceSequence.difference(
        treatment: treatment, control: control, level: level,
        tuning: SequentialTuning(trials: tuning, level: level))
      let lift = ConfidenceSequence.relativeLift(
        treatment: treatment, control: control, level: level,
        tuning: SequentialTuning(trials: tuning, level: level))
      let p = ConfidenceSequence.pValue(
        treatment: treatment, control: control,
        tuning: SequentialTuning(trials: tuning, level: level))
      #expect(isSound(difference.value), "\(comparison) \(level) \(tuning)")
      #expect(isSound(lift.value), "\(comparison) \(level) \(tuning)")
      #expect(isShare(p.value), "\(comparison) \(level) \(tuning)")
      let other = ProportionComparison(treatment: control, control: Self.proportion(&random))
      let pooled = MantelHaenszel.riskRatio(strata: [comparison, other], level: level)
      #expect(isSound(pooled.value), "\(comparison) \(other) \(level)")
      if let interval = pooled.value?.interval {
        #expect(EValue.ofInterval(interval).value.map { $0.isFinite && $0 >= 1 } ?? true)
      }
      let shares = [1, 2].map { _ in Double.random(in: 0...1, using: &random) }
      let observed = [Self.count(&random), Self.count(&random)]
      let split = SampleRatio.test(observed: observed, expectedShares: shares).value
      #expect(isShare(split?.pValue) && split?.statistic.isFinite ?? true, "\(observed) \(shares)")
      checkPlan(comparison, level, &random)
    }
  }

  private func checkPlan(
    _ comparison: ProportionComparison, _ level: Double, _ random: inout SplitMix64
  ) {
    let (n1, n0) = (comparison.treatment.trials, comparison.control.trials)
    let rate = comparison.control.estimate ?? 0.5
    let other = comparison.treatment.estimate ?? Double.random(in: 0...1, using: &random)
    let chance = Power.chanceToShow(
      treatmentRate: other, controlRate: rate, treatmentTrials: n1, controlTrials: n0,
      alpha: 1 - level)
    #expect(isShare(chance.value))
    for found in [
      Power.smallestDetectableRise(
        controlRate: rate, treatmentTrials: n1, controlTrials: n0, alpha: 1 - level),
      Power.smallestDetectableDrop(
        controlRate: rate, treatmentTrials: n1, controlTrials: n0, power: level, sides: .one),
    ] {
      #expect(found.value?.difference.isFinite ?? true)
      #expect(found.value?.relativeLift?.isFinite ?? true)
    }
    let size = Power.trialsNeeded(
      treatmentRate: other, controlRate: rate,
      treatmentPerControl: Double(n1) / Double(max(1, n0)), alpha: 1 - level)
    #expect(size.value.map { $0.treatment >= 1 && $0.control >= 1 } ?? true)
    _ = Verdict.of(comparison, adjustedP: level, targetLift: 0.03)
  }

  @Test func `durations and survival`() {
    var random = SplitMix64(seed: 105)
    for _ in 0..<(SlowRuns.factor * 800) {
      let rows = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        (value: Double(Self.count(&random) % 50), count: Self.count(&random))
      }
      let others = rows.shuffled(using: &random).prefix(5).map { (value: $0.value, count: 3) }
      let (treatment, control) = (ValueCounts(rows), ValueCounts(others))
      let level = Self.level(&random)
      for share in [0.5, 0.9, 0.99, 0, 1] {
        let one = QuantileIntervals.quantile(share, of: treatment, level: level)
        let two = QuantileIntervals.difference(
          share, treatment: treatment, control: control, level: level)
        #expect(isSound(one.value), "\(rows) \(level)")
        #expect(isSound(two.value), "\(rows) \(level)")
      }
      let test = MannWhitney.test(treatment: treatment, control: control).value
      #expect(isShare(test?.pValue) && isShare(test?.probabilityOfGreater), "\(rows)")
      checkSurvival(rows, level, &random)
    }
  }

  private func checkSurvival(
    _ rows: [(value: Double, count: Int)], _ level: Double, _ random: inout SplitMix64
  ) {
    let curve = KaplanMeier(
      rows.map { TimeCount(time: $0.value, events: $0.count, censored: Self.count(&random)) })
    #expect(curve.steps.allSatisfy { isShare($0.survival) && $0.standardError.isFinite })
    let incidence = CumulativeIncidence(
      rows.map { .init(time: $0.value, events: [$0.count, 2], censored: 1) }, causes: 2)
    for step in incidence.steps {
      #expect(step.incidence.allSatisfy { isShare($0) })
      #expect(step.standardErrors.allSatisfy { $0.isFinite })
    }
    for time in [0, 3, 20, 49, .nan, .infinity] {
      #expect(isSound(curve.interval(at: time, level: level).value), "\(rows) \(time)")
      let cause = incidence.interval(cause: 0, at: time, level: level)
      #expect(isSound(cause.value), "\(rows) \(time)")
    }
    let median = curve.quantile(0.5, level: level).value
    #expect(median.map { $0.lower <= $0.estimate } ?? true)
    #expect(median?.upper.map { $0.isFinite } ?? true)
  }

  @Test func `families of any p-values`() {
    var random = SplitMix64(seed: 106)
    for _ in 0..<500 {
      let values = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        [0, 1, .nan, -1, 7, .infinity, Double.random(in: 0...1, using: &random)][
          Int(random.next() % 7)]
      }
      for method in MultipleTesting.allCases {
        #expect(method.adjust(values).allSatisfy { isShare($0) }, "\(values)")
      }
    }
  }
}
