/// Two rates of different times, such as of two months, each seen over some periods (weeks).
///
/// Weeks differ by more than the luck of the draw: what people come, and what happens to them. So
/// would two months of which nothing was changed in between, and with many people every such pair
/// differs "beyond chance". The variance s^2 of the true rate between periods of one side is taken
/// from both sides (``VarianceBetween``), and adds s^2 sum n^2 / (sum n)^2 of each side's periods
/// to the variance of the difference. Degrees of freedom are the periods less two, fewer where
/// periods differ in size.
///
/// Periods are taken as independent. Seasons and slow drifts are differences, too, and no test says
/// what they come from.
public struct PeriodComparison: Sendable, Hashable {
  /// With fewer on a side nothing is known of how its periods differ.
  public static let fewestPeriods = 2

  /// Treatment is the later one, control the earlier.
  public let rates: ProportionComparison
  /// How far the true rate of one period lies from that of another, as a standard deviation.
  public let deviation: Double
  /// The variance of the difference for a variance of 1 between periods.
  private let ofMeans: Double
  private let degreesOfFreedom: Int

  /// - Parameters:
  ///   - before: the earlier side's periods; those without trials say nothing.
  ///   - after: the later side's.
  /// - Returns: `nil` where a side has fewer than ``fewestPeriods`` with trials.
  public init?(before: [Proportion], after: [Proportion]) {
    let sides = [before, after].map { $0.filter { $0.trials > 0 } }
    guard sides.allSatisfy({ $0.count >= Self.fewestPeriods }) else { return nil }
    let sums = sides.map { Proportion.sum($0) }
    let weights = zip(sides, sums).map { side, sum in
      side.reduce(0) { $0 + Double($1.trials) * Double($1.trials) } / Double(sum.trials)
    }
    let between = VarianceBetween(sides)
    self.init(
      rates: ProportionComparison(treatment: sums[1], control: sums[0]),
      variance: between.variance,
      ofMeans: weights[0] / Double(sums[0].trials) + weights[1] / Double(sums[1].trials),
      degreesOfFreedom: between.degreesOfFreedom)
  }

  /// Other rates of the same people, whose periods nobody counted: an effect of a period on the log
  /// odds moves a rate in proportion to p (1 - p).
  public func borrowed(by rates: ProportionComparison) -> PeriodComparison {
    func spread(_ rates: ProportionComparison) -> Double {
      let rate = Proportion.sum([rates.treatment, rates.control]).estimate ?? 0
      return rate * (1 - rate)
    }
    let own = spread(self.rates)
    let ratio = own > 0 ? spread(rates) / own : 1
    return PeriodComparison(
      rates: rates, variance: deviation * deviation * ratio * ratio, ofMeans: ofMeans,
      degreesOfFreedom: degreesOfFreedom)
  }

  private init(
    rates: ProportionComparison, variance: Double, ofMeans: Double, degreesOfFreedom: Int
  ) {
    self.rates = rates
    deviation = variance.squareRoot()
    self.ofMeans = ofMeans
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// The two-sided p-value of "there is no difference"; `nil` where either side has no trials, and
  /// where everybody succeeded or nobody.
  public var twoSidedP: Double? {
    guard let widened, widened.score.varianceAtEquality > 0 else { return nil }
    return min(1, 2 * widened.student.cumulative(-abs(widened.statistic(0))))
  }

  /// After minus before, with all differences that the test does not reject.
  public func difference(level: Double) -> Estimate<EstimateWithInterval> {
    guard let widened else { return .unavailable(.emptyDenominator) }
    guard level > 0, level < 1 else { return .unavailable(.invalidLevel) }
    return .value(widened.difference(level: level))
  }

  private var widened: WidenedScore? {
    guard rates.treatment.trials > 0, rates.control.trials > 0 else { return nil }
    return WidenedScore(
      score: ScoreStatistic(treatment: rates.treatment, control: rates.control),
      variance: deviation * deviation * ofMeans,
      student: StudentDistribution(degreesOfFreedom: degreesOfFreedom))
  }
}
