/// Two groups set against each other within strata, so that a change of the groups' sizes from
/// stratum to stratum does not pass for a difference between them.
///
/// With one stratum everything is as in ``ProportionComparison``, to the last digit. Test and
/// intervals come from one statistic and can't contradict each other.
public struct StratifiedComparison: Sendable, Hashable {
  /// All strata that were given, also those in which a group has no trials.
  public let strata: [ProportionComparison]
  /// The strata in which both groups have trials; nothing is compared in the others.
  public let comparable: [ProportionComparison]
  /// What each comparable stratum counts; `nil` for Mantel and Haenszel's weights.
  private let weights: [Double]?
  /// Where people belong to accounts; `nil` where they are independent.
  private let clustering: Clustering?

  private struct Clustering: Hashable {
    /// Of each comparable stratum.
    var effects: [DesignEffects]
    var degreesOfFreedom: Int
    var isEnough: Bool
  }

  /// Satterthwaite's degrees of freedom of the weighted difference, rounded down (Biometrics
  /// Bulletin 2, 1946).
  private static func degreesOfFreedom(
    _ strata: [(treatment: ClusteredProportion, control: ClusteredProportion)]
  ) -> Int {
    // Accounts go on from one stratum to the next, and are known no better for it.
    let groups = [strata.map(\.treatment), strata.map(\.control)].map { group in
      let variance = zip(group, strata).reduce(0.0) { sum, stratum in
        let (pair, own) = (stratum.1, stratum.0)
        let (n1, n0) = (
          Double(pair.treatment.proportion.trials), Double(pair.control.proportion.trials)
        )
        let weight = n1 / (n1 + n0) * n0
        return sum + weight * weight * own.squaredError
      }
      return (variance: variance, degrees: group.map(\.degreesOfFreedom).min() ?? 1)
    }
    let variance = groups[0].variance + groups[1].variance
    let spread = groups.reduce(0) { $0 + $1.variance * $1.variance / $1.degrees }
    // Where nobody or everybody succeeds nothing varies.
    let degrees =
      spread > 0 ? variance * variance / spread : groups[0].degrees + groups[1].degrees
    return max(1, Int(min(Double(mostDegrees), degrees)))
  }

  /// More degrees of freedom than this change nothing that is shown.
  private static let mostDegrees = 10_000

  /// Strata with Mantel and Haenszel's weights n1 n0 / (n1 + n0), such as the periods of one split.
  public init(strata: [ProportionComparison]) {
    self.init(strata: strata, weights: nil)
  }

  /// Strata of people who belong to accounts that were assigned as wholes: variances count each
  /// group's design effect, and Student's t takes the normal distribution's place. A group with
  /// fewer than ``ClusteredProportion/fewestClusters`` accounts is not tested (`tooFew`).
  public init(
    clustered strata: [(treatment: ClusteredProportion, control: ClusteredProportion)]
  ) {
    let filled = strata.filter {
      $0.treatment.proportion.trials > 0 && $0.control.proportion.trials > 0
    }
    let fewest = filled.flatMap { [$0.treatment.clusters, $0.control.clusters] }.min()
    self.init(
      strata: strata.map {
        ProportionComparison(treatment: $0.treatment.proportion, control: $0.control.proportion)
      }, weights: nil,
      clustering: Clustering(
        effects: filled.map {
          DesignEffects(treatment: $0.treatment.designEffect, control: $0.control.designEffect)
        }, degreesOfFreedom: Self.degreesOfFreedom(filled),
        isEnough: fewest ?? 0 >= ClusteredProportion.fewestClusters))
  }

  /// Strata that people fall into by something known of them at entry, post-stratified: a stratum
  /// counts by its share of the people of its period, and a period by its Mantel-Haenszel weight.
  ///
  ///     d = sum (n_k / n) (p1_k - p0_k),   V(d) = sum (n_k / n)^2 V_k
  ///
  /// Miratrix, Sekhon and Yu, "Adjusting treatment effect estimates by post-stratification in
  /// randomized experiments" (Journal of the Royal Statistical Society B 75, 2013), section 2, with
  /// the variance given how people fell into the strata. V_k is that of the score statistic.
  public init(postStratified periods: [PostStrata]) {
    strata = periods.flatMap(\.strata)
    comparable = strata.filter(\.hasBoth)
    clustering = nil
    weights = periods.flatMap { period -> [Double] in
      let own = period.strata.filter(\.hasBoth)
      let people = own.map { Double($0.treatment.trials) + Double($0.control.trials) }
      let (all, total) = (Self.total(own), people.reduce(0, +))
      let weight = Double(all.treatment.trials) / total * Double(all.control.trials)
      return people.map { weight * ($0 / total) }
    }
  }

  private init(
    strata: [ProportionComparison], weights: [Double]?, clustering: Clustering? = nil
  ) {
    self.strata = strata
    comparable = strata.filter(\.hasBoth)
    self.weights = weights
    self.clustering = clustering
  }

  private static func total(_ strata: [ProportionComparison]) -> ProportionComparison {
    ProportionComparison(
      treatment: Proportion.sum(strata.map(\.treatment)),
      control: Proportion.sum(strata.map(\.control)))
  }

  /// Two groups that are one stratum.
  public init(treatment: Proportion, control: Proportion) {
    self.init(strata: [ProportionComparison(treatment: treatment, control: control)])
  }

  /// The trials that are compared, of all strata together; of a single stratum all it has.
  public var total: ProportionComparison {
    Self.total(strata.count == 1 ? strata : comparable)
  }

  /// Whether more than one stratum is compared.
  public var isStratified: Bool { comparable.count > 1 }

  /// Failures in place of successes.
  public var ofFailures: StratifiedComparison {
    func turned(_ proportion: Proportion) -> Proportion {
      Proportion(successes: proportion.failures, trials: proportion.trials)
    }
    return StratifiedComparison(
      strata: strata.map {
        ProportionComparison(treatment: turned($0.treatment), control: turned($0.control))
      }, weights: weights, clustering: clustering)
  }

  /// The proportions of both groups, standardised to the strata's weights; `nil`
  /// where no stratum has trials in both.
  public var rates: (treatment: Double, control: Double)? {
    score.map { ($0.treatmentRate, $0.controlRate) }
  }

  /// The test that there is no difference in any stratum: Mantel and Haenszel's, without
  /// continuity correction. Unavailable as ``ProportionComparison/scoreTest()`` is.
  public func scoreTest() -> Estimate<ScoreTest> {
    guard let score else { return .unavailable(.emptyDenominator) }
    guard hasEnoughClusters else { return .unavailable(.tooFew) }
    return score.atEquality.map { .value(test($0)) } ?? .unavailable(.noVariation)
  }

  /// The test that the weighted difference is `supposed`, between -1 and 1.
  public func scoreTest(ofDifference supposed: Double) -> Estimate<ScoreTest> {
    guard abs(supposed) <= 1 else { return .unavailable(.invalidInput) }
    if supposed == 0 { return scoreTest() }
    guard let score else { return .unavailable(.emptyDenominator) }
    guard hasEnoughClusters else { return .unavailable(.tooFew) }
    return .value(test(score.at(difference: supposed)))
  }

  /// The test that the ratio of the standardised proportions is `supposed`. Unavailable where the
  /// control has no success (`zeroControl`).
  public func scoreTest(ofRatio supposed: Double) -> Estimate<ScoreTest> {
    guard supposed > 0, supposed.isFinite else { return .unavailable(.invalidInput) }
    if supposed == 1 { return scoreTest() }
    guard let score else { return .unavailable(.emptyDenominator) }
    guard hasEnoughClusters else { return .unavailable(.tooFew) }
    guard score.controlRate > 0 else { return .unavailable(.zeroControl) }
    return .value(test(score.at(ratio: supposed)))
  }

  private func test(_ statistic: Double) -> ScoreTest {
    ScoreTest(statistic: statistic, degreesOfFreedom: clustering?.degreesOfFreedom)
  }

  /// The statistic behind test and intervals; `nil` where nothing can be compared.
  var score: StratifiedScore? {
    StratifiedScore(comparable, weights: weights, effects: clustering?.effects)
  }

  /// Both groups have accounts enough for what is known of the variance between them; true of
  /// people who belong to none.
  var hasEnoughClusters: Bool { clustering?.isEnough ?? true }

  /// How many people say as much as one independent person would.
  public var designEffects: DesignEffects {
    guard clustering != nil, let effective = effectiveTrials else {
      return .none
    }
    return DesignEffects(
      treatment: Double(total.treatment.trials) / effective.treatment,
      control: Double(total.control.trials) / effective.control)
  }

  /// Both weighted rates with the trials of one stratum that would determine them equally well, to
  /// the nearest count.
  public var asOneStratum: ProportionComparison? {
    guard let rates, let effectiveTrials else { return nil }
    func proportion(_ rate: Double, _ trials: Double) -> Proportion {
      let whole = max(1, trials.rounded())
      return Proportion(
        successes: Int(clamping: (rate * whole).rounded()), trials: Int(clamping: whole))
    }
    return ProportionComparison(
      treatment: proportion(rates.treatment, effectiveTrials.treatment),
      control: proportion(rates.control, effectiveTrials.control))
  }

  /// How many trials of one stratum would say as much about each group's weighted rate.
  var effectiveTrials: (treatment: Double, control: Double)? {
    score?.effectiveTrials
  }

  /// How many more people a comparison without these strata would need for an estimate as precise,
  /// relative to the people it has: its variance of the difference over this one's, minus 1.
  ///
  /// - Parameter plain: the comparison of the same people without the strata.
  public func precisionGain(over plain: StratifiedComparison) -> Double? {
    guard let own = score, let other = plain.score else { return nil }
    let variance = own.treatmentVariance + own.controlVariance
    let without = other.treatmentVariance + other.controlVariance
    return variance > 0 ? without / variance - 1 : nil
  }

  /// The weighted difference with the interval of all that the score test does not reject.
  public func difference(level: Double = 0.95) -> Estimate<EstimateWithInterval> {
    intervals(level: level).map(\.difference)
  }

  /// The ratio of the standardised proportions, minus 1, with the interval of all that the score
  /// test does not reject. Unavailable where the control has no success (`zeroControl`).
  public func relativeLift(level: Double = 0.95) -> Estimate<EstimateWithInterval> {
    let intervals = intervals(level: level)
    if let score, score.controlRate <= 0 {
      return .unavailable(.zeroControl)
    }
    return intervals.map(\.relativeLift)
  }

  private func intervals(level: Double) -> Estimate<ScoreIntervals<StratifiedScore>> {
    guard let normal = NormalDistribution.twoSidedCritical(level: level) else {
      return .unavailable(.invalidLevel)
    }
    guard let score else { return .unavailable(.emptyDenominator) }
    guard hasEnoughClusters else { return .unavailable(.tooFew) }
    let critical =
      clustering.map {
        StudentDistribution(degreesOfFreedom: $0.degreesOfFreedom).quantile((1 + level) / 2)
      } ?? normal
    return .value(ScoreIntervals(statistic: score, critical: critical))
  }
}

extension ProportionComparison {
  /// Both groups have trials.
  fileprivate var hasBoth: Bool { treatment.trials > 0 && control.trials > 0 }
}
