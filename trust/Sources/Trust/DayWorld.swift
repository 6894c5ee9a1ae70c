import ExperimentStatistics
import Foundation

/// Days whose rate varies: weekends have another one, and each day has an effect of its own, normal
/// on the scale of log odds.
struct DayWorld {
  var peoplePerDay: Int
  var rate = 0.6
  var deviation = 0.0
  var weekend = 0.0

  /// A share whose log odds are moved.
  static func moved(_ share: Double, by effect: Double) -> Double {
    1 / (1 + exp(-log(share / (1 - share)) - effect))
  }

  /// The counts of one day, on which `drop` of the rate is missing.
  func day(_ day: Int, drop: Double = 0, _ draws: inout Draws) -> DayCounts {
    // Day 0 is Thursday, 1 January 1970: Saturdays are 2 and Sundays 3.
    let isWeekend = day % 7 == 2 || day % 7 == 3
    var odds = log(rate / (1 - rate)) + deviation * draws.normal()
    if isWeekend { odds += weekend }
    let trials = isWeekend ? peoplePerDay * 3 / 2 : peoplePerDay
    let share = max(0, 1 / (1 + exp(-odds)) - drop)
    return DayCounts(
      day: day,
      counts: Proportion(successes: draws.binomial(trials, share), trials: trials))
  }
}
