/// A stretch of an experiment in which people were divided in one and the same ratio.
public struct SplitPeriod: Sendable, Hashable {
  /// Its first instant, in milliseconds since 1970. It ends where the next one begins.
  public var startMilliseconds: Int64
  /// The share of each variant, in their declared order; they add up to 1.
  public var shares: [Double]

  /// A period of the split with these shares, one for each variant.
  public init(startMilliseconds: Int64, shares: [Double]) {
    self.startMilliseconds = startMilliseconds
    self.shares = shares
  }
}

extension Experiment {
  /// The period that a person is in who enters at an instant: 0 where the split never changed;
  /// `nil` before the experiment and after it.
  public func period(at milliseconds: Int64) -> Int? {
    if let startMilliseconds, milliseconds < startMilliseconds { return nil }
    if let endMilliseconds, milliseconds >= endMilliseconds { return nil }
    let begun = periods.count { $0.startMilliseconds <= milliseconds }
    return max(0, begun - 1)
  }

  /// The shares of the variants in each period.
  public var splits: [[Double]] {
    periods.isEmpty ? [variants.map(\.share)] : periods.map(\.shares)
  }
}
