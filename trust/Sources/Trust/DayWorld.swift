import ExperimentStatistics
import Foundation

/// Days whose rate varies: weekends have another one, and each day has an effect of its own, normal
/// on the scale of log odds, which can resemble that of the day before.
struct DayWorld {
  var peoplePerDay: Int
  var rate = 0.6
  var deviation = 0.0
  var weekend = 0.0
  /// Of a day's effect and that of the day before (an autoregression of first order).
  var correlation = 0.0
  /// That of the day before, in standard deviations; none before the first day.
  private var effect: Double?

  init(
    peoplePerDay: Int, rate: Double = 0.6, deviation: Double = 0, weekend: Double = 0,
    correlation: Double = 0
  ) {
    self.peoplePerDay = peoplePerDay
    self.rate = rate
    self.deviation = deviation
    self.weekend = weekend
    self.correlation = correlation
  }

  /// What a table says of it.
  var words: String {
    let neighbours = correlation == 0 ? "" : ", neighbours \(correlation)"
    return "\(peoplePerDay) a day, sd \(deviation)\(neighbours)"
  }

  /// A share whose log odds are moved.
  static func moved(_ share: Double, by effect: Double) -> Double {
    1 / (1 + exp(-log(share / (1 - share)) - effect))
  }

  /// The counts of the next day, on which `drop` of the rate is missing.
  mutating func day(_ day: Int, drop: Double = 0, _ draws: inout Draws) -> DayCounts {
    // Day 0 is Thursday, 1 January 1970: Saturdays are 2 and Sundays 3.
    let isWeekend = day % 7 == 2 || day % 7 == 3
    let rest = (1 - correlation * correlation).squareRoot()
    let own = draws.normal()
    let effect = self.effect.map { correlation * $0 + rest * own } ?? own
    self.effect = effect
    var odds = log(rate / (1 - rate)) + deviation * effect
    if isWeekend { odds += weekend }
    let trials = isWeekend ? peoplePerDay * 3 / 2 : peoplePerDay
    let share = max(0, 1 / (1 + exp(-odds)) - drop)
    return DayCounts(
      day: day,
      counts: Proportion(successes: draws.binomial(trials, share), trials: trials))
  }
}
