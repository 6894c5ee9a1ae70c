/// How sure the reports want to be: `statistics:` of the flow file.
public struct StatisticsSettings: Sendable, Hashable {
  /// The chance of a false alarm in a family of comparisons, above 0 and at most a half.
  public var alpha: Double
  /// The chance to see the lift that is looked for if it is there.
  public var power: Double
  /// The relative lift that is looked for: 0.05 is a twentieth more than the control.
  public var targetLift: Double
  /// How a family of comparisons shares ``alpha``.
  public var correction: Correction
  /// The kind of interval around a rate.
  public var rateInterval: RateInterval
  /// The persons, control and variant together, at which always-valid intervals are narrowest.
  public var sequentialTuningPersons: Int

  /// The defaults of a flow file that says nothing about statistics.
  public init(
    alpha: Double = 0.05, power: Double = 0.8, targetLift: Double = 0.05,
    correction: Correction = .holm, rateInterval: RateInterval = .wilson,
    sequentialTuningPersons: Int = 5000
  ) {
    self.alpha = alpha
    self.power = power
    self.targetLift = targetLift
    self.correction = correction
    self.rateInterval = rateInterval
    self.sequentialTuningPersons = sequentialTuningPersons
  }

  /// How p-values are adjusted for there being several.
  public enum Correction: String, Sendable, Hashable, CaseIterable {
    case holm
    case benjaminiHochberg = "benjamini_hochberg"
    case none
  }

  /// The interval of a single rate.
  public enum RateInterval: String, Sendable, Hashable, CaseIterable {
    case wilson
    /// Never covers less than it says; wider than needed.
    case clopperPearson = "clopper_pearson"
  }
}
