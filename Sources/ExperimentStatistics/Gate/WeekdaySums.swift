import RealModule

/// Sums over days from which weighted means by weekday follow.
struct WeekdaySums: Sendable {
  private(set) var days = 0
  /// How many weekdays have a day.
  private(set) var weekdays = 0
  private var weights = [Double](repeating: 0, count: 7)
  private var values = [Double](repeating: 0, count: 7)
  private var squaresOfValues = 0.0
  private let daysPerIndependent: Double

  /// - Parameter daysPerIndependent: how many days say as much as an independent one: 1 or more.
  init(daysPerIndependent: Double) {
    self.daysPerIndependent = daysPerIndependent
  }

  /// - Parameter weekday: 0 to 6; 0 for all where weekdays aren't distinguished.
  mutating func add(_ value: Double, _ weight: Double, _ weekday: Int) {
    if weights[weekday] == 0 { weekdays += 1 }
    days += 1
    weights[weekday] += weight
    values[weekday] += weight * value
    squaresOfValues += weight * value * value
  }

  /// The weighted squares about the weekdays' means.
  var squares: Double {
    var sum = squaresOfValues
    for weekday in 0..<7 where weights[weekday] > 0 {
      sum -= values[weekday] * values[weekday] / weights[weekday]
    }
    return max(0, sum)
  }

  /// How much lower the days are that came after other sums, summed over weekdays with the weights
  /// of the differences; and these weights' sum.
  func score(since before: WeekdaySums) -> (score: Double, information: Double) {
    var (score, information) = (0.0, 0.0)
    for weekday in 0..<7 {
      let (early, all) = (before.weights[weekday], weights[weekday])
      let late = all - early
      guard early > 0, late > 0 else { continue }
      let difference =
        before.values[weekday] / early - (values[weekday] - before.values[weekday]) / late
      let weight = early * late / all
      score += weight * difference
      information += weight
    }
    return (score, information)
  }

  /// How much likelier all days are with a decline after other sums than without one, as in
  /// ``SlowDecline``, and by how much the rate is lower; `nil` where it is not lower.
  func decline(since before: WeekdaySums) -> (likelihoodRatio: Double, drop: Double)? {
    let squares = squares
    let degrees = Double(days - weekdays) / daysPerIndependent
    let (score, information) = score(since: before)
    guard score > 0, information > 0, degrees > 0 else { return nil }
    let left = squares - score * score / (information + 1)
    guard left > 0 else { return nil }
    let student = score * (degrees / (left * (information + 1))).squareRoot()
    let whole = StudentDistribution(degreesOfFreedom: Int(degrees.rounded(.down)))
    let below = student > 8 ? 1 : whole.cumulative(student)
    let logarithm =
      Double.log(2 * below) - 0.5 * Double.log(information + 1)
      + 0.5 * degrees * Double.log(squares / left)
    return (Double.exp(min(600, logarithm)), score / information)
  }
}
