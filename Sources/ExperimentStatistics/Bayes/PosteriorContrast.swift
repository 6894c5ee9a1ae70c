import RealModule

/// The distribution of the difference and of the ratio of two independent beta variables.
struct PosteriorContrast {
  private let treatment: Support
  private let control: Support
  private let centreOfDifference: Double
  private let centreOfLogRatio: Double

  /// A distribution with the stretch that holds all of it but 1e-14 on either side.
  private struct Support {
    let distribution: BetaDistribution
    let lower: Double
    let upper: Double
    /// What the quadrature says the whole is. It is 1 but for the digits that rates next to 1 with
    /// huge counts cost; divided by, the distribution reaches 1.
    private var whole = 1.0

    init(_ distribution: BetaDistribution) {
      self.distribution = distribution
      lower = distribution.quantile(lower: 1e-14, upper: 1 - 1e-14)
      upper = distribution.quantile(lower: 1 - 1e-14, upper: 1e-14)
      let sum = expectation(from: 0, to: 1) { _ in 1 }
      whole = sum > 0 ? sum : 1
    }

    /// The expectation of a function over part of the stretch, which must be smooth there.
    func expectation(
      from start: Double, to end: Double, of function: (Double) -> Double
    ) -> Double {
      let start = max(start, lower)
      let width = (min(end, upper) - start) / 6
      guard width > 0 else { return 0 }
      let sum = (0..<6).reduce(0.0) { sum, panel in
        let left = start + width * Double(panel)
        return sum
          + GaussLegendre.integral(from: left, to: left + width) { x in
            distribution.density(x, complement: 1 - x) * function(x)
          }
      }
      return sum / whole
    }
  }

  init(treatment: BetaDistribution, control: BetaDistribution) {
    self.treatment = Support(treatment)
    self.control = Support(control)
    centreOfDifference = treatment.mean - control.mean
    centreOfLogRatio = .log(treatment.mean / control.mean)
  }

  /// The interval of the difference with probability `tail` on either side.
  func difference(tail: Double) -> Interval {
    let centre = centreOfDifference
    let (first, second) = (treatment.distribution, control.distribution)
    let deviation =
      (first.standardDeviation * first.standardDeviation
      + second.standardDeviation * second.standardDeviation).squareRoot()
    let z = -NormalDistribution.quantile(tail)
    func bound(_ target: Double, _ guess: Double) -> Double {
      RootFinding.crossing(from: -1, to: 1, guess: guess, resolution: 1e-11 * deviation) { d in
        probability(
          slope: 1, threshold: { $0 + d }, inverse: { $0 - d }
        ) - target
      }
    }
    let lower = bound(tail, centre - z * deviation)
    let upper = bound(1 - tail, centre + z * deviation)
    return Interval(lower: min(lower, upper), upper: max(lower, upper))
  }

  /// The interval of the ratio, minus 1, with probability `tail` on either side; nil where the
  /// quadrature does not reach that far out.
  func lift(tail: Double) -> Interval? {
    let centre = centreOfLogRatio
    let relative = { (beta: BetaDistribution) in beta.standardDeviation / beta.mean }
    let deviation =
      (relative(treatment.distribution) * relative(treatment.distribution)
      + relative(control.distribution) * relative(control.distribution)).squareRoot()
    let z = -NormalDistribution.quantile(tail)
    func bound(_ target: Double, _ guess: Double) -> Double? {
      let function = { (log: Double) -> Double in
        let ratio = Double.exp(log)
        return probability(slope: ratio, threshold: { $0 * ratio }, inverse: { $0 / ratio })
          - target
      }
      var reach = 2 * z * deviation
      while reach < 600, function(centre - reach) > 0 || function(centre + reach) < 0 {
        reach *= 2
      }
      guard reach < 600 else { return nil }
      let log = RootFinding.crossing(
        from: centre - reach, to: centre + reach, guess: guess,
        resolution: 1e-11 * deviation, of: function)
      return .expMinusOne(log)
    }
    guard let lower = bound(tail, centre - z * deviation),
      let upper = bound(1 - tail, centre + z * deviation)
    else { return nil }
    return Interval(lower: min(lower, upper), upper: max(lower, upper))
  }

  /// P(treatment <= threshold(control)), by quadrature over the narrower of the two, against
  /// whose density the other's distribution function is smooth. Where the threshold passes 0 or
  /// 1 that function has a kink, so the quadrature stops there and the rest is added whole.
  private func probability(
    slope: Double, threshold: (Double) -> Double, inverse: (Double) -> Double
  ) -> Double {
    let (first, second) = (treatment.distribution, control.distribution)
    if first.standardDeviation < slope * second.standardDeviation {
      let (start, end) = (threshold(0), threshold(1))
      let certain = first.tails(start, complement: 1 - start).lower
      return certain
        + treatment.expectation(from: start, to: end) { x in
          let bound = inverse(x)
          return second.tails(bound, complement: 1 - bound).upper
        }
    }
    let (start, end) = (inverse(0), inverse(1))
    let certain = second.tails(end, complement: 1 - end).upper
    return certain
      + control.expectation(from: start, to: end) { y in
        let bound = threshold(y)
        return first.tails(bound, complement: 1 - bound).lower
      }
  }
}
