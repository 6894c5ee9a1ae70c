/// A rate that a sample is held against, known as well as from so many people. A weighted mean of
/// days is no share of whole people.
public struct ReferenceRate: Sendable, Hashable {
  /// From 0 to 1.
  public let rate: Double
  /// How many independent people would tell as much of it; above 0, and no whole number.
  public let trials: Double
}
