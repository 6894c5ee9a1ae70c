/// The amount above which people's amounts are capped (``AmountHistogram/cap(atShare:)``).
public struct AmountCap: Sendable, Hashable {
  /// The bucket that holds the quantile; all amounts in later ones are capped.
  let bucket: Int
  /// In millionths.
  public let millionths: Int128

  /// The amount.
  public var amount: Double { Double(millionths) / 1e6 }
}
