/// Where an always-valid interval is to be narrowest. It holds at every number of trials; tuning
/// only moves where it is best.
public struct SequentialTuning: Sendable, Hashable {
  /// N*: the trials of both groups together.
  public var trials: Int
  /// The level that the interval is meant to be read at.
  public var level: Double

  /// Tunes to be narrowest at so many trials of both groups, for an interval of this level.
  public init(trials: Int = 5000, level: Double = 0.95) {
    self.trials = trials
    self.level = level
  }
}
