import ExperimentStatistics

/// How each reference file is put to the target.
enum Checks {
  typealias Check = AgreementTests.Check

  static func proportion(_ inputs: [Double], at index: Int = 0) -> Proportion {
    Proportion(successes: Int(inputs[index]), trials: Int(inputs[index + 1]))
  }

  static func comparison(_ inputs: [Double], at index: Int = 0) -> ProportionComparison {
    ProportionComparison(
      treatment: proportion(inputs, at: index), control: proportion(inputs, at: index + 2))
  }

  /// Values and counts in turn.
  static func counts(_ flat: some Collection<Double>) -> ValueCounts {
    let flat = Array(flat)
    return ValueCounts(
      stride(from: 0, to: flat.count, by: 2).map { (value: flat[$0], count: Int(flat[$0 + 1])) })
  }

  /// Rows of time, three causes and censored, after the time asked for.
  static func endings(_ inputs: [Double]) -> [CumulativeIncidence.Count] {
    stride(from: 1, to: inputs.count, by: 5).map { start in
      CumulativeIncidence.Count(
        time: inputs[start], events: (1...3).map { Int(inputs[start + $0]) },
        censored: Int(inputs[start + 4]))
    }
  }

  private static func strataOf(_ inputs: [Double]) -> [ProportionComparison] {
    stride(from: 0, to: inputs.count, by: 4).map { comparison(inputs, at: $0) }
  }

  private static func bounds(_ interval: Interval?) -> [Double?] {
    [interval?.lower, interval?.upper]
  }

  private static func numbers(_ estimate: EstimateWithInterval?) -> [Double?] {
    [estimate?.estimate] + bounds(estimate?.interval)
  }

  static let proportions = [
    Check("wilson") { bounds(ProportionIntervals.wilson(proportion($0), level: $0[2]).value) },
    Check("clopper-pearson") {
      bounds(ProportionIntervals.clopperPearson(proportion($0), level: $0[2]).value)
    },
    Check("score-test") {
      let test = comparison($0).scoreTest().value
      return [test?.statistic, test?.twoSidedP, test?.greaterP]
    },
    Check("miettinen-nurminen") { numbers(comparison($0).difference(level: $0[4]).value) },
    Check("koopman") { numbers(comparison($0).relativeLift(level: $0[4]).value) },
    Check("koopman-statsmodels") {
      bounds(comparison($0).relativeLift(level: $0[4]).value?.interval)
    },
    Check("fisher") { [comparison($0).fisherExact().value] },
  ]

  static let families = [
    Check("holm") { MultipleTesting.holm.adjust($0) },
    Check("benjamini-hochberg") { MultipleTesting.benjaminiHochberg.adjust($0) },
    Check("sample-ratio") {
      let arms = $0.count / 2
      let test = SampleRatio.test(
        observed: $0[0..<arms].map { Int($0) }, expectedShares: Array($0[arms...])
      ).value
      return [test?.statistic, test?.pValue]
    },
    Check("homogeneity") { inputs in
      let categories = Int(inputs[0])
      let samples = stride(from: 1, to: inputs.count, by: categories).map { start in
        inputs[start..<start + categories].map { Int($0) }
      }
      let test = ChiSquareTest.homogeneity(samples).value
      return [test?.statistic, test.map { Double($0.degreesOfFreedom) }, test?.pValue]
    },
    Check("poisson-drop") {
      [PoissonDrop(count: Int($0[0]), others: Int($0[1]), otherPeriods: Int($0[2])).pValue]
    },
    Check("sample-ratio-exact") { inputs in
      let (observed, shares) = split(inputs)
      return [SampleRatio.check(periods: [observed], expectedShares: [shares]).value?.pValue]
    },
    Check("sample-ratio-sequential") { inputs in
      let (observed, shares) = split(inputs)
      let test = SampleRatio.checkSequentially(periods: [observed], expectedShares: [shares])
      return [test.value?.pValue]
    },
    Check("non-inferiority") {
      let size = NonInferiority.trialsNeeded(
        rate: $0[0], margin: $0[1], treatmentPerControl: $0[2], alpha: $0[3], power: $0[4]
      ).value
      return [size.map { Double($0.control) }, size.map { Double($0.treatment) }]
    },
  ]

  static let means = [
    Check("rate-trend") { inputs in
      let samples = inputs.indices.filter { $0 % 2 == 0 }.map {
        RateTrend.Sample(
          place: Double($0 / 2), successes: Int(inputs[$0]), trials: Int(inputs[$0 + 1]))
      }
      let trend = RateTrend(samples)
      return [trend?.slope, trend?.pValue]
    },
    Check("ratio-of-means") {
      let mean = RatioOfMeans(
        count: Int($0[0]), numerator: $0[1], denominator: $0[2], numeratorVariance: $0[3],
        denominatorVariance: $0[4], covariance: $0[5]
      ).linearised
      return [mean?.mean, mean.map { $0.variance / Double($0.count) }]
    },
    Check("clustered-rates") { inputs in
      // Of each group how many accounts it has, then people and successes of each.
      let (first, second) = (Int(inputs[0]), Int(inputs[1]))
      func group(_ start: Int, _ accounts: Int) -> ClusteredProportion {
        var moments = ClusterMoments()
        for account in 0..<accounts {
          moments.add(
            value: inputs[start + 2 * account + 1], people: inputs[start + 2 * account])
        }
        return ClusteredProportion(moments)
      }
      let (treatment, control) = (group(2, first), group(2 + 2 * first, second))
      let comparison = StratifiedComparison(clustered: [(treatment, control)])
      let difference = comparison.difference().value?.interval
      let lift = comparison.relativeLift().value?.interval
      return [
        treatment.designEffect, control.designEffect, comparison.scoreTest().value?.twoSidedP,
        difference?.lower, difference?.upper, lift?.lower, lift?.upper,
      ]
    },
    Check("mean-comparison") {
      let comparison = MeanComparison(
        strata: [
          .init(
            treatment: SampleMean(count: Int($0[0]), mean: $0[1], variance: $0[2]),
            control: SampleMean(count: Int($0[3]), mean: $0[4], variance: $0[5]))
        ])
      let difference = comparison.difference(level: $0[6]).value
      let lift = comparison.relativeLift(level: $0[6]).value
      return [
        comparison.pValue().value, difference?.estimate, difference?.interval.lower,
        difference?.interval.upper, lift?.interval.lower, lift?.interval.upper,
      ]
    },
  ]

  private static func split(_ inputs: [Double]) -> (observed: [Int], shares: [Double]) {
    let arms = inputs.count / 2
    return (inputs[0..<arms].map { Int($0) }, Array(inputs[arms...]))
  }

  static let posteriors = [
    Check("probability-better") {
      [
        BetaBinomial.probabilityBetter(
          treatment: proportion($0), control: proportion($0, at: 2)
        ).value
      ]
    },
    Check("expected-loss") {
      [
        BetaBinomial.expectedLoss(treatment: proportion($0), control: proportion($0, at: 2))
          .value
      ]
    },
    Check("credible-rate") {
      bounds(BetaBinomial.credibleInterval(of: proportion($0), level: $0[2]).value)
    },
    Check("credible-contrast") {
      let (treatment, control) = (proportion($0), proportion($0, at: 2))
      return bounds(
        BetaBinomial.credibleDifference(treatment: treatment, control: control, level: $0[4])
          .value)
        + bounds(
          BetaBinomial.credibleLift(treatment: treatment, control: control, level: $0[4]).value)
    },
    Check("lift-posterior") {
      let pair = comparison($0)
      let found = LiftPosterior.of(
        StratifiedComparison(treatment: pair.treatment, control: pair.control),
        prior: .init(mean: $0[4], deviation: $0[5])
      ).value
      return [found?.lift, found?.probabilityBetter, found?.expectedLoss()]
        + bounds(found?.credibleInterval().value)
    },
    Check("confidence-sequence") {
      let (treatment, control) = (proportion($0), proportion($0, at: 2))
      let (level, tuning) = ($0[4], Int($0[5]))
      let difference = ConfidenceSequence.difference(
        treatment: treatment, control: control, level: level,
        tuning: SequentialTuning(trials: tuning, level: level))
      let p = ConfidenceSequence.pValue(
        treatment: treatment, control: control,
        tuning: SequentialTuning(trials: tuning, level: level))
      return bounds(difference.value?.interval) + [p.value]
    },
  ]

  static let others = [
    Check("quantile") {
      bounds(
        QuantileIntervals.quantile($0[0], of: counts($0[2...]), level: $0[1]).value?.interval)
    },
    Check("exceedance") {
      let (trials, above) = (Int($0[0]), Int($0[3]))
      let sample = ValueCounts([(value: 1, count: trials - above), (value: 3, count: above)])
      return [
        QuantileRise(
          sample: sample, share: $0[2], limit: 2, referenceTrials: Int($0[1]), margin: 0
        ).p
      ]
    },
    Check("mann-whitney") {
      let border = Int($0[0]) + 1
      let test = MannWhitney.test(
        treatment: counts($0[1..<border]), control: counts($0[border...])
      ).value
      return [test?.statistic, test?.pValue]
    },
    Check("mantel-haenszel") { inputs in
      return numbers(MantelHaenszel.riskRatio(strata: strataOf(inputs)).value)
    },
    Check("post-stratified") { inputs in
      let strata = strataOf(inputs)
      let plain = StratifiedComparison(
        treatment: Proportion.sum(strata.map(\.treatment)),
        control: Proportion.sum(strata.map(\.control)))
      let comparison = StratifiedComparison(postStratified: [PostStrata(strata)])
      let difference = comparison.difference().value
      return [difference?.estimate, comparison.precisionGain(over: plain)]
        + bounds(difference?.interval) + bounds(comparison.relativeLift().value?.interval)
    },
    Check("interaction") { inputs in
      let strata = strataOf(inputs).map { StratifiedComparison(strata: [$0]) }
      let test = EffectHeterogeneity(strata).test().value
      return [test?.ofDifferences, test?.ofRatios, test?.pValue]
    },
    Check("kaplan-meier") { inputs in
      let curve = KaplanMeier(
        endings(inputs).map {
          TimeCount(time: $0.time, events: $0.events.reduce(0, +), censored: $0.censored)
        })
      let step = curve.steps.first { $0.time == inputs[0] }
      return [step?.survival, step?.standardError]
        + bounds(curve.interval(at: inputs[0]).value?.interval)
    },
    Check("cumulative-incidence") { inputs in
      let curve = CumulativeIncidence(endings(inputs), causes: 3)
      let step = curve.steps.first { $0.time == inputs[0] }
      return (0..<3).flatMap { [step?.incidence[$0], step?.standardErrors[$0]] }
    },
    Check("power") {
      [
        Power.chanceToShow(
          treatmentRate: $0[0], controlRate: $0[1], treatmentTrials: Int($0[2]),
          controlTrials: Int($0[3]), alpha: $0[4]
        ).value
      ]
    },
    Check("sample-size") {
      let size = Power.trialsNeeded(
        treatmentRate: $0[0], controlRate: $0[1], treatmentPerControl: $0[2], alpha: $0[3],
        power: $0[4])
      return [(size.value?.treatment).map(Double.init)]
    },
  ]
}
