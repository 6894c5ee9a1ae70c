import RealModule

/// Two groups' means set against each other, within strata where the groups' shares changed: a
/// stratum has the Mantel–Haenszel weight n1 n0 / (n1 + n0), as for rates.
///
/// Welch's t test and interval (Biometrika 34, 1947) with Satterthwaite's degrees of freedom,
/// rounded down, or an asymptotic confidence sequence (``ConfidenceSequence``). Both rest on the
/// central limit theorem: of skewed values, such as money, they hold once every group has some
/// hundred people with a value.
public struct MeanComparison: Sendable, Hashable {
  /// The two groups' means among people who share something, such as a period of one split.
  public struct Stratum: Sendable, Hashable {
    /// The treatment's mean in this stratum.
    public let treatment: SampleMean
    /// The control's mean in this stratum.
    public let control: SampleMean

    /// Sets two groups of one stratum against each other.
    public init(treatment: SampleMean, control: SampleMean) {
      self.treatment = treatment
      self.control = control
    }
  }

  /// The strata in which both groups have at least two people.
  public let strata: [Stratum]
  /// The tuning of an always-valid comparison; `nil` for a single look.
  public let sequential: SequentialTuning?

  /// More degrees of freedom than this change nothing that is shown.
  private static let mostDegrees = 10_000.0

  /// Compares within strata; those in which a group has fewer than two people are left out.
  public init(strata: [Stratum], sequential: SequentialTuning? = nil) {
    self.strata = strata.filter { $0.treatment.count > 1 && $0.control.count > 1 }
    self.sequential = sequential
  }

  private struct Contrast {
    var treatment = 0.0
    var control = 0.0
    var treatmentVariance = 0.0
    var controlVariance = 0.0
    var degrees = 0.0
    var trials = 0.0
    var variance: Double { treatmentVariance + controlVariance }
  }

  /// The means that are compared, standardised to the strata's weights.
  public var means: (treatment: Double, control: Double)? {
    contrast.value.map { ($0.treatment, $0.control) }
  }

  private var contrast: Estimate<Contrast> {
    guard !strata.isEmpty else { return .unavailable(.tooFew) }
    let weights = strata.map { stratum -> Double in
      let (n1, n0) = (Double(stratum.treatment.count), Double(stratum.control.count))
      return n1 / (n1 + n0) * n0
    }
    let total = weights.reduce(0, +)
    var contrast = Contrast()
    var spread = 0.0
    for (stratum, weight) in zip(strata, weights) {
      let share = weight / total
      contrast.treatment += share * stratum.treatment.mean
      contrast.control += share * stratum.control.mean
      let parts = [stratum.treatment, stratum.control].map { share * share * $0.squaredError }
      contrast.treatmentVariance += parts[0]
      contrast.controlVariance += parts[1]
      contrast.trials += Double(stratum.treatment.count + stratum.control.count)
      spread += parts[0] * parts[0] / stratum.treatment.degreesOfFreedom
      spread += parts[1] * parts[1] / stratum.control.degreesOfFreedom
    }
    let variance = contrast.variance
    guard variance > 0, variance.isFinite, spread > 0 else { return .unavailable(.noVariation) }
    contrast.degrees = variance * variance / spread
    return .value(contrast)
  }

  private func student(_ contrast: Contrast) -> StudentDistribution {
    StudentDistribution(degreesOfFreedom: Int(min(Self.mostDegrees, contrast.degrees)))
  }

  /// The squared half width of the interval, in standard errors.
  private func scale(_ contrast: Contrast, _ level: Double) -> Double {
    if let sequential {
      return ConfidenceSequence.squaredHalfWidth(
        trials: contrast.trials, alpha: 1 - level, sequential)
    }
    let critical = student(contrast).quantile((1 + level) / 2)
    return critical * critical
  }

  private func checked(_ level: Double) -> Estimate<Contrast> {
    guard level > 0, level < 1 else { return .unavailable(.invalidLevel) }
    if let sequential, sequential.trials <= 0 || sequential.level <= 0 || sequential.level >= 1 {
      return .unavailable(.invalidInput)
    }
    return contrast
  }

  /// The treatment's mean minus the control's.
  public func difference(level: Double = 0.95) -> Estimate<EstimateWithInterval> {
    checked(level).map { contrast in
      let difference = contrast.treatment - contrast.control
      let half = (contrast.variance * scale(contrast, level)).squareRoot()
      return EstimateWithInterval(
        estimate: difference,
        interval: Interval(lower: difference - half, upper: difference + half))
    }
  }

  /// The treatment's mean over the control's, minus 1: all ratios that the test of "treatment −
  /// ratio × control" does not rule out (Fieller, Journal of the Royal Statistical Society B 16,
  /// 1954), so that the interval leaves out 0 exactly where that of the difference does. To first
  /// order it is the delta method's.
  ///
  /// Unavailable where the control's own interval includes 0 (`zeroControl`), and for means below
  /// 0, of which a lift says nothing.
  public func relativeLift(level: Double = 0.95) -> Estimate<EstimateWithInterval> {
    switch checked(level) {
    case .unavailable(let reason): return .unavailable(reason)
    case .value(let contrast):
      let scale = scale(contrast, level)
      let (m1, m0) = (contrast.treatment, contrast.control)
      let square = m0 * m0 - scale * contrast.controlVariance
      guard m0 > 0, square > 0 else { return .unavailable(.zeroControl) }
      let middle = m1 * m0
      let root = max(
        0, middle * middle - square * (m1 * m1 - scale * contrast.treatmentVariance)
      ).squareRoot()
      return .value(
        EstimateWithInterval(
          estimate: (m1 - m0) / m0,
          interval: Interval(
            lower: (middle - root) / square - 1, upper: (middle + root) / square - 1)))
    }
  }

  /// The two-sided p-value of "the means are equal": under 1 − level exactly where the interval of
  /// the difference leaves out 0.
  public func pValue() -> Estimate<Double> {
    checked(0.5).map { contrast in
      let difference = contrast.treatment - contrast.control
      let square = difference * difference / contrast.variance
      if let sequential {
        return ConfidenceSequence.pValue(
          squaredDistance: square, trials: contrast.trials, sequential)
      }
      return min(1, 2 * student(contrast).cumulative(-square.squareRoot()))
    }
  }
}
