/// Whether a rate rises or falls over samples in order, by a straight line through them.
///
/// The line is that of least squares with the trials as weights. Where the samples scatter about
/// it as chance lets them, the statistic is that of Cochran and Armitage (Armitage, "Tests for
/// linear trends in proportions and frequencies", Biometrics 11, 1955). Where they scatter more,
/// since days differ, the variance is larger by that factor (Pearson's dispersion; McCullagh and
/// Nelder, *Generalized Linear Models*, 2nd ed. 1989, section 4.5); it is never taken as smaller.
/// The dispersion is estimated, so the reference is Student's t with two degrees fewer than there
/// are samples.
public struct RateTrend: Sendable, Hashable {
  /// The people of one period.
  public struct Sample: Sendable, Hashable {
    /// Where the period stands, in any unit of time.
    public var place: Double
    /// How many of the people succeeded; a sample with more successes than trials is left out.
    public var successes: Int
    /// How many people the period has.
    public var trials: Int

    /// Joins a period's place with its counts.
    public init(place: Double, successes: Int, trials: Int) {
      self.place = place
      self.successes = successes
      self.trials = trials
    }
  }

  /// How much the rate changes over one unit of the places.
  public let slope: Double
  /// What the line says of the first place, held within 0 to 1.
  public let first: Double
  /// What the line says of the last place, held within 0 to 1.
  public let last: Double
  /// The two-sided p-value of "the rate neither rises nor falls".
  public let pValue: Double

  /// Samples without trials say nothing.
  ///
  /// - Returns: `nil` for fewer than three samples, for samples at one place, and where all people
  ///   succeeded or none.
  public init?(_ samples: [Sample]) {
    let samples = samples.filter { $0.trials > 0 && (0...$0.trials).contains($0.successes) }
    let trials = samples.reduce(0.0) { $0 + Double($1.trials) }
    let rate = samples.reduce(0.0) { $0 + Double($1.successes) } / trials
    let spread = rate * (1 - rate)
    guard samples.count > 2, spread > 0 else { return nil }
    let middle = samples.reduce(0.0) { $0 + Double($1.trials) * $1.place } / trials
    var (squares, products) = (0.0, 0.0)
    for sample in samples {
      let distance = sample.place - middle
      squares += Double(sample.trials) * distance * distance
      products += distance * (Double(sample.successes) - Double(sample.trials) * rate)
    }
    guard squares > 0 else { return nil }
    let slope = products / squares
    func line(_ place: Double) -> Double { rate + slope * (place - middle) }
    let scatter = samples.reduce(0.0) { sum, sample in
      let error = Double(sample.successes) / Double(sample.trials) - line(sample.place)
      return sum + Double(sample.trials) * error * error
    }
    let degrees = samples.count - 2
    let dispersion = max(1, scatter / spread / Double(degrees))
    let statistic = slope * (squares / (dispersion * spread)).squareRoot()
    self.slope = slope
    let places = samples.map(\.place)
    first = min(1, max(0, line(places.min() ?? 0)))
    last = min(1, max(0, line(places.max() ?? 0)))
    let tail = StudentDistribution(degreesOfFreedom: degrees).cumulative(-abs(statistic))
    pValue = min(1, 2 * tail)
  }
}
