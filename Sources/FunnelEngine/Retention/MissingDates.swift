/// Dates of which hardly any events are there (definitions 16, `missing_days`).
enum MissingDates {
  /// Whether more than a tenth of a window lies on such dates: who came back on them is in no fact
  /// (definitions 11.3).
  ///
  /// - Parameters:
  ///   - window: in milliseconds since 1970, as the dates.
  ///   - dates: each from its first moment to the next date's.
  static func areMoreThanATenth(of window: Range<Int64>, _ dates: [Range<Int64>]) -> Bool {
    if dates.isEmpty { return false }
    var missing: Int64 = 0
    for date in dates {
      missing += max(
        0, min(window.upperBound, date.upperBound) - max(window.lowerBound, date.lowerBound))
    }
    return missing * 10 > window.upperBound - window.lowerBound
  }
}
