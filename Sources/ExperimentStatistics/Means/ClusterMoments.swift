/// What a ratio over accounts has to know of them: sums over accounts of powers of what their
/// people add up to (y) and of how many they are (n).
public struct ClusterMoments: Sendable, Hashable {
  /// Accounts with at least one of the people.
  public var clusters = 0
  /// The sum of y.
  public var values = 0.0
  /// The sum of n, which is how many people there are.
  public var people = 0.0
  /// The sum of y^2.
  public var valueSquares = 0.0
  /// The sum of y n.
  public var products = 0.0
  /// The sum of n^2.
  public var peopleSquares = 0.0
  /// The sum of y^2 n.
  public var valueSquaresByPeople = 0.0
  /// The sum of y n^2.
  public var valuesByPeopleSquares = 0.0
  /// The sum of n^3.
  public var peopleCubes = 0.0
  /// The sum of n^4.
  public var peopleFourths = 0.0

  /// Sums of no accounts, to which ``add(value:people:)`` adds.
  public init() {}

  /// Adds an account.
  public mutating func add(value y: Double, people n: Double) {
    guard n > 0 else { return }
    clusters += 1
    values += y
    people += n
    valueSquares += y * y
    products += y * n
    peopleSquares += n * n
    valueSquaresByPeople += y * y * n
    valuesByPeopleSquares += y * n * n
    peopleCubes += n * n * n
    peopleFourths += n * n * n * n
  }

  /// The sum of all values over the number of people.
  public var ratio: Double { people > 0 ? values / people : 0 }

  /// The variance of the ratio: the jackknife's over accounts, to the first order of what each
  /// account weighs, h = n / N:
  ///
  ///     V = (1 - 1/G) sum (y - r n)^2 (1 + 2 h) / N^2
  ///
  /// (Efron and Stein, Annals of Statistics 9, 1981, on the jackknife's not being too small; Bell
  /// and McCaffrey, Survey Methodology 28, 2002, on the plain sum's being too small with few
  /// accounts of different size.)
  public var variance: Double {
    guard clusters > 1, people > 0 else { return 0 }
    let r = ratio
    let plain = valueSquares - 2 * r * products + r * r * peopleSquares
    let weighted =
      valueSquaresByPeople - 2 * r * valuesByPeopleSquares + r * r * peopleCubes
    let spread = max(0, plain) + 2 / people * max(0, weighted)
    return (1 - 1 / Double(clusters)) * spread / (people * people)
  }

  /// How many times as large the variance of these accounts' ratio is as that of parts whose people
  /// are strangers to each other; at least 1.
  ///
  /// - Parameter parts: of the same accounts' people, such as those of each period.
  public func resemblance(across parts: [ClusterMoments]) -> Double {
    let ofStrangers = parts.reduce(0) { sum, part in
      let share = people > 0 ? part.people / people : 0
      return sum + share * share * part.variance
    }
    return ofStrangers > 0 ? max(1, variance / ofStrangers) : 1
  }

  /// How well the variance is known: (sum n^2)^2 / sum n^4, that of Bell and McCaffrey where
  /// people of one account are alike, and so the fewest there can be.
  public var degreesOfFreedom: Double {
    guard clusters > 1, peopleFourths > 0 else { return 1 }
    return max(1, min(Double(clusters - 1), peopleSquares * peopleSquares / peopleFourths))
  }
}
