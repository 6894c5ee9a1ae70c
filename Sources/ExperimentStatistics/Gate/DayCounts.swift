/// A rate's counts on one day.
public struct DayCounts: Sendable, Hashable {
  /// Days since 1970-01-01.
  public let day: Int
  /// How many people succeeded that day, of how many.
  public let counts: Proportion

  /// Joins a day, counted from 1970-01-01, with its counts.
  public init(day: Int, counts: Proportion) {
    self.day = day
    self.counts = counts
  }

  /// 0 to 6: days a whole number of weeks apart have the same.
  var weekday: Int { ((day % 7) + 7) % 7 }
  var trials: Double { Double(counts.trials) }
}
