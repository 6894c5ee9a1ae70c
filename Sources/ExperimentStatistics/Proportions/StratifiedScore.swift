/// The score statistic of several strata, such as the periods of an experiment whose split changed.
///
///     z(d) = sum w (p1 - p0 - d) / sqrt(sum w^2 V(d)),   w = n1 n0 / (n1 + n0)
///
/// V is each stratum's variance as in ``ScoreStatistic`` (Miettinen and Nurminen, Statistics in
/// Medicine 4, 1985, section on stratified comparisons), and likewise with p1 - R p0. The weights
/// are Mantel and Haenszel's: at d = 0 the square of z is their test without its continuity
/// correction (Journal of the National Cancer Institute 22, 1959). Post-stratified comparisons have
/// weights of their own. They are scaled to sum to 1.
struct StratifiedScore: TwoSampleScore {
  private let strata: [(weight: Double, score: ScoreStatistic)]
  let difference: Double
  let treatmentRate: Double
  let controlRate: Double
  let pooled: ScoreStatistic

  /// - Parameters:
  ///   - filled: the strata in which both groups have trials; `nil` for none.
  ///   - weights: what each stratum counts; `nil` for Mantel and Haenszel's weights.
  ///   - effects: how many people of each stratum say as much as one; `nil` for one each.
  init?(
    _ filled: [ProportionComparison], weights given: [Double]? = nil,
    effects: [DesignEffects]? = nil
  ) {
    guard !filled.isEmpty else { return nil }
    let scores = filled.indices.map {
      ScoreStatistic(
        treatment: filled[$0].treatment, control: filled[$0].control, effects?[$0] ?? .none)
    }
    let weights =
      given
      ?? scores.map {
        $0.treatmentTrials / ($0.treatmentTrials + $0.controlTrials) * $0.controlTrials
      }
    let sum = weights.reduce(0, +)
    let strata = zip(weights, scores).map { (weight: $0 / sum, score: $1) }
    func mean(_ value: (ScoreStatistic) -> Double) -> Double {
      strata.reduce(0) { $0 + $1.weight * value($1.score) }
    }
    self.strata = strata
    difference = mean(\.difference)
    treatmentRate = mean(\.treatmentRate)
    controlRate = mean(\.controlRate)
    let all = ProportionComparison(
      treatment: Proportion.sum(filled.map(\.treatment)),
      control: Proportion.sum(filled.map(\.control)))
    func effect(
      _ people: Int, _ group: KeyPath<ScoreStatistic, Double>
    ) -> Double {
      effects == nil ? 1 : Double(people) / scores.reduce(0) { $0 + $1[keyPath: group] }
    }
    pooled = ScoreStatistic(
      treatment: all.treatment, control: all.control,
      DesignEffects(
        treatment: effect(all.treatment.trials, \.treatmentTrials),
        control: effect(all.control.trials, \.controlTrials)))
  }

  var atEquality: Double? {
    let variance = variance(\.varianceAtEquality)
    return variance > 0 ? difference / variance.squareRoot() : nil
  }

  func at(difference supposed: Double) -> Double {
    ScoreStatistic.standardized(
      difference - supposed, variance: variance { $0.variance(atDifference: supposed) })
  }

  func at(ratio supposed: Double) -> Double {
    ScoreStatistic.standardized(
      treatmentRate - supposed * controlRate,
      variance: variance { $0.variance(atRatio: supposed) })
  }

  /// The variance of the treatment's standardised proportion, each stratum's being its own.
  var treatmentVariance: Double {
    variance {
      $0.treatmentRate * ($0.treatmentFailures / $0.treatmentTrials) / $0.treatmentTrials
    }
  }

  var controlVariance: Double {
    variance { $0.controlRate * ($0.controlFailures / $0.controlTrials) / $0.controlTrials }
  }

  /// Trials of one stratum that would give each group's rate the variance it has here.
  var effectiveTrials: (treatment: Double, control: Double) {
    (1 / variance { 1 / $0.treatmentTrials }, 1 / variance { 1 / $0.controlTrials })
  }

  private func variance(_ ofStratum: (ScoreStatistic) -> Double) -> Double {
    strata.reduce(0) { $0 + $1.weight * $1.weight * ofStratum($1.score) }
  }
}
