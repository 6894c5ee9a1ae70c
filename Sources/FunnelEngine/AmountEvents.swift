/// How many events people's amounts come from, and what the variance of a ratio of two sums needs:
/// whole numbers, so that they do not depend on the order in which people are added.
public struct AmountEvents: Sendable, Hashable {
  /// Matching events that say an amount, of all people together.
  public private(set) var events: Int128 = 0
  private var squares: Int128 = 0
  /// Of a person's amount, in millionths, and events.
  private var products: Int128 = 0

  /// The events of no people.
  public init() {}

  /// What is written down: events, their squares, and products with amounts.
  init(_ written: [Int128]) {
    guard written.count == 3 else { return }
    (events, squares, products) = (written[0], written[1], written[2])
  }

  var written: [Int128] { [events, squares, products] }

  mutating func add(_ amountMillionths: Int128, events count: Int64) {
    let count = Int128(count)
    events &+= count
    squares &+= count &* count
    products &+= count &* amountMillionths
  }

  /// Adds other people.
  public mutating func add(_ other: AmountEvents) {
    events &+= other.events
    squares &+= other.squares
    products &+= other.products
  }

  /// Events a person; people who are not counted have none.
  public func mean(of persons: Int) -> Double {
    persons == 0 ? 0 : Double(events) / Double(persons)
  }

  /// The sample variance of a person's number of events, with n − 1.
  public func variance(of persons: Int) -> Double {
    max(0, WholeSums.covariance(of: persons, products: squares, events, events))
  }

  /// The sample covariance of a person's amount and number of events, with n − 1.
  public func covariance(with amounts: AmountSum, of persons: Int) -> Double {
    WholeSums.covariance(
      of: persons, products: products, amounts.millionths, events) / 1e6
  }
}
