/// One number that must not be worse than something, and what a sample says about it.
///
/// "Worse" is a drop here: a number of which less is better is turned over first.
/// A test *fails* where its one-sided p, adjusted for its family, is under alpha and the estimate
/// is beyond the margin; both together, so that neither noise nor a trifle fails. What a sample
/// could have shown is asked with the same two conditions.
public protocol DropTest: Sendable {
  /// The p-value against "it is worse"; nil where there is nothing to test.
  var p: Double? { get }

  /// Whether the estimate is worse by more than the margin.
  var isBeyondMargin: Bool { get }

  /// The drop that a sample has to be able to show before it may pass, in the number's own unit.
  var lookedFor: Double { get }

  /// How many trials the sample has.
  var trials: Int { get }

  /// Whether a failure is possible at all: a rate of 0 can't drop.
  var canDrop: Bool { get }

  /// Whether the demand asks for nothing, such as at least 0 %: it holds whatever the truth is.
  var asksForNothing: Bool { get }

  /// Whether the sample shows, at this one-sided level, that the demand is met with room to spare.
  func isShownToHold(alpha: Double) -> Bool

  /// The chance that a sample of so many trials fails at this one-sided level, if the truth is
  /// worse by `drop`. At a drop of 0 it is the false-alarm rate.
  func chanceToFail(drop: Double, alpha: Double, trials: Int) -> Double

  /// The chance that a sample of so many trials is shown to hold at this one-sided level, if the
  /// truth is worse by `drop`: at a drop of the margin the chance of a wrong proof, at 0 the power
  /// of a right one. 0 where it is not known.
  func chanceToHold(drop: Double, alpha: Double, trials: Int) -> Double

  /// This test with so many trials on the reference's side; nil where there is no such side.
  func withReference(trials: Int) -> Self?
}

extension DropTest {
  /// Unless a test says otherwise, what can't fail asks for nothing.
  public var asksForNothing: Bool { !canDrop }

  /// Unless a test says otherwise, it has no reference whose size could differ.
  public func withReference(trials: Int) -> Self? { nil }

  /// Unless a test says otherwise, 0: the chance is not known.
  public func chanceToHold(drop: Double, alpha: Double, trials: Int) -> Double { 0 }

  /// The chance that this sample fails.
  public func chanceToFail(drop: Double, alpha: Double) -> Double {
    chanceToFail(drop: drop, alpha: alpha, trials: trials)
  }

  /// How many trials it takes to show what is looked for with the given power; nil where no number
  /// of them would do, as where the reference is too small.
  public func trialsNeeded(alpha: Double, power: Double) -> Int? {
    smallest(from: trials) { chanceToFail(drop: lookedFor, alpha: alpha, trials: $0) >= power }
  }

  /// How many trials it takes to show with the given power that nothing is worse by the margin,
  /// where nothing is worse at all; nil where no number of them would do.
  public func trialsNeededToHold(alpha: Double, power: Double) -> Int? {
    smallest(from: trials) { chanceToHold(drop: 0, alpha: alpha, trials: $0) >= power }
  }

  /// How many trials both sides need, where the reference is too small for any sample.
  public func trialsNeededOnBothSides(alpha: Double, power: Double) -> Int? {
    guard withReference(trials: trials) != nil else { return nil }
    return smallest(from: trials) { trials in
      let test = withReference(trials: trials)
      return test?.chanceToFail(drop: lookedFor, alpha: alpha, trials: trials) ?? 0 >= power
    }
  }

  /// The smallest count from one on that suffices, by doubling and halving; nil if none does.
  private func smallest(from first: Int, where suffices: (Int) -> Bool) -> Int? {
    guard canDrop else { return nil }
    var low = max(1, first)
    if suffices(low) { return low }
    var high = low
    repeat {
      guard high < 1 << 34 else { return nil }
      low = high
      high *= 2
    } while !suffices(high)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if suffices(middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// The smallest true drop that this sample catches with the given power, up to `largest`; nil
  /// where even that one is not caught.
  public func smallestDropCaught(alpha: Double, power: Double, largest: Double) -> Double? {
    guard canDrop, trials > 0, largest > 0,
      chanceToFail(drop: largest, alpha: alpha) >= power
    else { return nil }
    var (low, high) = (0.0, largest)
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if chanceToFail(drop: middle, alpha: alpha) >= power { high = middle } else { low = middle }
    }
    return high
  }
}
