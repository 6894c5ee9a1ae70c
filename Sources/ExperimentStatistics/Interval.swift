/// A closed interval with finite bounds.
public struct Interval: Sendable, Hashable {
  /// The lower bound, which belongs to the interval.
  public let lower: Double
  /// The upper bound, which belongs to the interval.
  public let upper: Double

  /// Makes an interval of bounds that are taken as they are; `lower` must not lie above `upper`.
  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether the value lies inside the interval or on one of its bounds.
  public func contains(_ value: Double) -> Bool {
    lower <= value && value <= upper
  }
}
