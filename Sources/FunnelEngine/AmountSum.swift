/// The sum of people's amounts, and of their squares: whole numbers, so that it does not depend on
/// the order in which people are added.
public struct AmountSum: Sendable, Hashable {
  /// In millionths.
  public private(set) var millionths: Int128 = 0
  /// In millionths of millionths.
  private(set) var squares: Int128 = 0

  /// The sum of no amounts.
  public init() {}

  mutating func add(_ amountMillionths: Int128) {
    if amountMillionths == 0 { return }
    let amount = amountMillionths
    millionths &+= amount
    squares &+= amount &* amount
  }

  /// Adds the amounts of other people.
  public mutating func add(_ other: AmountSum) {
    millionths &+= other.millionths
    squares &+= other.squares
  }

  /// The sum.
  public var total: Double { Double(millionths) / 1e6 }

  /// The mean over some people, of whom those who are not counted have 0.
  public func mean(of persons: Int) -> Double {
    persons == 0 ? 0 : total / Double(persons)
  }

  /// The sample variance over some people, with n − 1; 0 for fewer than two.
  public func variance(of persons: Int) -> Double {
    guard persons > 1 else { return 0 }
    let n = Double(persons)
    // n Σx² − (Σx)², exact as long as it fits.
    let (left, over) = Int128(persons).multipliedReportingOverflow(by: squares)
    let (right, overflow) = millionths.multipliedReportingOverflow(by: millionths)
    let spread =
      over || overflow
      ? n * Double(squares) - Double(millionths) * Double(millionths) : Double(left - right)
    return max(0, spread) / 1e12 / (n * (n - 1))
  }
}
