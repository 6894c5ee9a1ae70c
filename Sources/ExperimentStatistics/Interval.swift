/// A closed interval with finite bounds.
public struct Interval: Sendable, Hashable {
  public let lower: Double
  public let upper: Double

  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether the value lies inside the interval or on one of its bounds.
  public func contains(_ value: Double) -> Bool {
    lower <= value && value <= upper
  }
}
