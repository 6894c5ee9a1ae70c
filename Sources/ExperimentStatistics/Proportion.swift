/// A count of successes among a count of trials.
///
/// Impossible counts are clamped rather than trapped on: negative trials count as none, and
/// successes are held between zero and the trials.
public struct Proportion: Sendable, Hashable {
  /// How many of the trials succeeded, between zero and ``trials``.
  public let successes: Int
  /// How many trials there were, zero or more.
  public let trials: Int

  /// Holds the counts within what is possible: trials at 0 or above, successes between 0 and those.
  public init(successes: Int, trials: Int) {
    self.trials = max(0, trials)
    self.successes = min(max(0, successes), self.trials)
  }

  /// How many of the trials failed.
  public var failures: Int { trials - successes }

  /// Successes over trials, or nil when there were no trials.
  public var estimate: Double? {
    trials == 0 ? nil : Double(successes) / Double(trials)
  }

  /// All successes among all trials.
  public static func sum(_ parts: [Proportion]) -> Proportion {
    Proportion(
      successes: parts.reduce(0) { $0 + $1.successes }, trials: parts.reduce(0) { $0 + $1.trials })
  }

  /// The share that failed, computed from the counts so that it keeps its digits near zero.
  var complement: Double? {
    trials == 0 ? nil : Double(failures) / Double(trials)
  }
}
