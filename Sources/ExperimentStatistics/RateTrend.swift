/// Whether a rate rises or falls over samples in order, by a straight line through them.
///
/// The line is that of least squares with the trials as weights. Where the samples scatter about
/// it as chance lets them, the statistic is that of Cochran and Armitage (Armitage, "Tests for
/// linear trends in proportions and frequencies", Biometrics 11, 1955). Where they scatter more,
/// since weeks differ, the variance of the true rate between samples is taken from that (by the
/// moments of DerSimonian and Laird about a line, as in Thompson and Sharp, "Explaining
/// heterogeneity in meta-analysis", Statistics in Medicine 18, 1999), and each sample adds its part
/// to the variance of the slope. With n trials at the distance d from the middle, N of all, S the
/// sum of n d^2, q = p (1 - p) of all and Q the squared distances from the line, weighted by n,
///
///     A = diag(n) - n n' / N - (n d)(n d)' / S
///     s^2 = max(0, Q - (samples - 2) q) / tr A
///     variance of the slope = q / S + s^2 sum n^2 d^2 / S^2
///
/// A factor on the variance of chance instead (Pearson's dispersion) would take the effect of a
/// week for smaller the more people it has: of steady rates one in five was called a trend where a
/// launch week has twenty times the people of the others. The reference is Student's t with
/// Satterthwaite's degrees of freedom, (tr A)^2 / tr(A^2) to the nearest whole number
/// (``VarianceBetween``); two fewer than samples where these are of one size.
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
    let moments = Moments(samples, trials: trials, middle: middle, squares: squares)
    let free = Double(samples.count - 2)
    let between = moments.trace > 0 ? max(0, scatter - free * spread) / moments.trace : 0
    let variance = spread / squares + between * moments.leverage / (squares * squares)
    self.slope = slope
    let places = samples.map(\.place)
    first = min(1, max(0, line(places.min() ?? 0)))
    last = min(1, max(0, line(places.max() ?? 0)))
    let student = StudentDistribution(degreesOfFreedom: moments.degreesOfFreedom)
    pValue = min(1, 2 * student.cumulative(-abs(slope) / variance.squareRoot()))
  }

  /// Of the samples' sizes and places, and of nothing that was seen in them.
  private struct Moments {
    /// Of A, and of its square.
    private(set) var trace = 0.0
    private var traceOfSquare = 0.0
    /// The sum of n^2 d^2.
    private(set) var leverage = 0.0

    init(_ samples: [Sample], trials: Double, middle: Double, squares: Double) {
      var (ofSquares, ofDistances) = (0.0, 0.0)
      for sample in samples {
        let (size, distance) = (Double(sample.trials), sample.place - middle)
        let own = size * (1 / trials + distance * distance / squares)
        trace += size * (1 - own)
        traceOfSquare += size * size * (1 - 2 * own)
        ofSquares += size * size
        ofDistances += size * size * distance
        leverage += size * size * distance * distance
      }
      traceOfSquare +=
        ofSquares * ofSquares / (trials * trials)
        + 2 * ofDistances * ofDistances / (trials * squares)
        + leverage * leverage / (squares * squares)
    }

    var degreesOfFreedom: Int {
      traceOfSquare > 0 ? max(1, Int((trace * trace / traceOfSquare).rounded())) : 1
    }
  }
}
