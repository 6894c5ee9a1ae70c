/// Which days of a flow `watch` has to report on: those that are complete and have no report yet.
enum DueDays {
  struct Day: Equatable {
    var number: Int
    /// Whether the store's history alone takes it.
    var isForHistory: Bool
  }

  /// The days, the oldest first.
  ///
  /// The first day with a folder is the one that was the newest when the watch first had something
  /// to report; from there on every day gets one. What lies before the last one that is there was
  /// left out then, or has been taken away by somebody.
  ///
  /// - Parameters:
  ///   - complete: the days that are complete.
  ///   - backlog: how many days before the newest one count.
  ///   - history: the days that the store's history has.
  ///   - folders: what is there of `--out`, if it is given.
  static func of(
    complete: ClosedRange<Int>, backlog: Int, history: Set<Int>, folders: DayFolders?
  ) -> [Day] {
    let newest = complete.upperBound
    let lastInHistory = history.filter { $0 <= newest }.max() ?? .min
    let lastFolder = folders?.finished.max() ?? .max
    return (max(complete.lowerBound, newest - backlog)...newest).compactMap { day in
      let isMissing = !history.contains(day) && day > lastInHistory
      var isDue = day == newest && isMissing
      if let folders, !folders.finished.contains(day) {
        isDue = isDue || day == newest || day > lastFolder || folders.unfinished.contains(day)
      } else if folders?.unlisted == day {
        isDue = true
      }
      return isDue || isMissing ? Day(number: day, isForHistory: !isDue) : nil
    }
  }
}
