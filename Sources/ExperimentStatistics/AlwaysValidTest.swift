/// The one-sided p-values of a difference that may be looked at any number of times.
///
/// Half of the sequence's two-sided p on the side on which the estimate lies: a side is shown at
/// alpha exactly where the interval at 1 - 2 alpha excludes it. Both sides behave alike, so the
/// chance of ever showing a given one is alpha at most, but for half of the chance that one
/// experiment shows first one side and then the other; `AlwaysValidTestTests` simulates it.
public struct AlwaysValidTest: Sendable, Hashable {
  /// Small where the number is less than was supposed.
  public let lessP: Double
  /// Small where it is greater.
  public let greaterP: Double

  init(difference: Double, twoSidedP: Double) {
    let half = twoSidedP / 2
    lessP = difference < 0 ? half : 1 - half
    greaterP = difference > 0 ? half : 1 - half
  }
}
