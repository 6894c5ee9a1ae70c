import Foundation

/// What each day of the dump is like: how many begin on it, and by which factors it changes the
/// odds of leaving and of coming back. It is drawn from the seed, apart from all persons.
struct DayEffects: Sendable {
  private let start: Int64
  private let entriesCumulated: [Double]
  private let leaveOdds: [Double]
  private let returnOdds: [Double]
  /// Shares of the hours of a day, in UTC: most people begin in the evening.
  private static let hours: [Double] = [
    3, 2, 1, 1, 1, 2, 4, 6, 7, 7, 7, 8, 9, 9, 8, 8, 9, 10, 12, 13, 13, 11, 8, 5,
  ]
  private static let hoursCumulated = hours.indices.map { hours[...$0].reduce(0, +) }

  init(_ habits: DayHabits, start: Int64, days: Int, seed: UInt64) {
    self.start = start
    var total = 0.0
    var entries: [Double] = []
    var leave: [Double] = []
    var comeBack: [Double] = []
    for day in 0..<days {
      var random = RandomSource(seed: seed, stream: .max - UInt64(day))
      // The first of January 1970 was a Thursday.
      let weekday = Int((DayClock.floor(start, World.day) + Int64(day) + 3) % 7)
      total +=
        habits.entries[weekday] * random.logNormal(median: 1, sigma: habits.entrySpread)
      entries.append(total)
      leave.append(random.logNormal(median: 1, sigma: habits.oddsSpread))
      comeBack.append(
        habits.returns[weekday] * random.logNormal(median: 1, sigma: habits.oddsSpread))
    }
    entriesCumulated = entries
    leaveOdds = leave
    returnOdds = comeBack
  }

  /// A moment at which somebody begins.
  func entry(_ random: inout RandomSource) -> Int64 {
    let day = random.index(cumulated: entriesCumulated)
    let hour = random.index(cumulated: DayEffects.hoursCumulated)
    return start + Int64(day) * World.day + Int64(hour) * 3_600_000
      + random.milliseconds(0, 3_599_999)
  }

  func day(_ time: Int64) -> Int {
    min(leaveOdds.count - 1, max(0, Int(DayClock.floor(time - start, World.day))))
  }

  func oddsOfLeaving(at time: Int64) -> Double { leaveOdds[day(time)] }
  func oddsOfReturning(at time: Int64) -> Double { returnOdds[day(time)] }
}
