/// A share of people, with what it was made of.
public struct Rate: Sendable, Hashable {
  /// Those above the line.
  public let count: Int
  /// Those below the line: of whom the rate is.
  public let total: Int
  /// From 0 to 1; `nil` where it is of nobody, or where the data can't say it.
  public let rate: Double?
  /// In which the true rate lies 95 % of the times; by Wilson, or Clopper–Pearson where the flow
  /// says so. `nil` where ``rate`` is.
  public let interval: ClosedRange<Double>?

  static let ofNobody = Rate(count: 0, total: 0, rate: nil, interval: nil)
}
