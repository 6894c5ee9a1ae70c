/// The sum of people's amounts, and of their squares: whole numbers, so that it does not depend on
/// the order in which people are added.
public struct AmountSum: Sendable, Hashable {
  /// In millionths.
  public private(set) var millionths: Int128 = 0
  /// In millionths of millionths.
  private(set) var squares: Int128 = 0

  /// The sum of no amounts.
  public init() {}

  /// What was written down.
  init(millionths: Int128, squares: Int128) {
    self.millionths = millionths
    self.squares = squares
  }

  /// Adds a person's amount.
  public mutating func add(_ amountMillionths: Int128) {
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

  /// Takes the amounts of some of the people out, and adds one amount for each of them.
  mutating func replace(_ part: AmountSum, of persons: Int, by amountMillionths: Int128) {
    let (count, amount) = (Int128(persons), amountMillionths)
    millionths = millionths &- part.millionths &+ count &* amount
    squares = squares &- part.squares &+ count &* (amount &* amount)
  }

  /// The sum.
  public var total: Double { Double(millionths) / 1e6 }

  /// The mean over some people, of whom those who are not counted have 0.
  public func mean(of persons: Int) -> Double {
    persons == 0 ? 0 : total / Double(persons)
  }

  /// The sample variance over some people, with n − 1; 0 for fewer than two.
  public func variance(of persons: Int) -> Double {
    max(0, WholeSums.covariance(of: persons, products: squares, millionths, millionths)) / 1e12
  }
}
