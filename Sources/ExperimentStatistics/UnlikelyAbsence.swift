internal import RealModule

/// Whether chance alone hardly explains that none of so many has what a share of people has.
///
/// The chance is (1 − share)^trials, the binomial distribution at 0.
public enum UnlikelyAbsence {
  /// Below this the explanation is another one.
  private static let greatestChance = 0.001

  /// Whether chance alone hardly explains that nobody came where so many are expected: the chance
  /// is exp(−expected), the Poisson distribution at 0.
  ///
  /// - Parameter expected: how many people are expected.
  public static func holds(expected: Double) -> Bool {
    -expected < Double.log(greatestChance)
  }

  /// - Parameters:
  ///   - share: of the people expected to have it, held within 0 to 1.
  ///   - trials: people none of whom has it.
  public static func holds(share: Double, trials: Int) -> Bool {
    guard share > 0, trials > 0 else { return false }
    guard share < 1 else { return true }
    return Double(trials) * Double.log(onePlus: -share) < Double.log(greatestChance)
  }
}
