/// Of some people what their accounts add up to: how many do something, or what they spend (y), of
/// how many people (n). Whole numbers, so that no order of adding matters.
public struct ClusterSums: Sendable {
  /// Accounts with at least one of the people.
  public private(set) var clusters = 0
  /// The sum of y: what all of the people do, or spend in millionths.
  public private(set) var values: Int128 = 0
  /// The sum of n: all of the people.
  public private(set) var people: Int128 = 0
  /// The sum of y^2.
  public private(set) var valueSquares: Int128 = 0
  /// The sum of y n.
  public private(set) var products: Int128 = 0
  /// The sum of n^2.
  public private(set) var peopleSquares: Int128 = 0
  /// The sum of y^2 n.
  public private(set) var valueSquaresByPeople: Int128 = 0
  /// The sum of y n^2.
  public private(set) var valuesByPeopleSquares: Int128 = 0
  /// The sum of n^3.
  public private(set) var peopleCubes: Int128 = 0
  /// The sum of n^4.
  public private(set) var peopleFourths: Int128 = 0

  /// Adds an account.
  mutating func add(value: Int128, people own: Int) {
    if own == 0 { return }
    clusters += 1
    add(value, squares: value &* value, each: Int128(own), 1)
  }

  /// Adds people without an account, each of whom is one: the sum of their values, and of the
  /// squares of them.
  mutating func add(value: Int128, squares: Int128, ofSingle people: Int) {
    clusters += people
    add(value, squares: squares, each: 1, Int128(people))
  }

  /// - Parameters:
  ///   - n: people of each account.
  ///   - count: how many accounts there are, of which values and squares are the sums.
  private mutating func add(_ value: Int128, squares: Int128, each n: Int128, _ count: Int128) {
    values &+= value
    valueSquares &+= squares
    products &+= value &* n
    valueSquaresByPeople &+= squares &* n
    valuesByPeopleSquares &+= value &* n &* n
    people &+= count &* n
    peopleSquares &+= count &* n &* n
    peopleCubes &+= count &* n &* n &* n
    peopleFourths &+= count &* n &* n &* n &* n
  }
}
