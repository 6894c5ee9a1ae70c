internal import ReportText

/// What is said of dates on which hardly anybody has events: in reports, by `validate`, by gates.
package struct MissingDaysWords {
  package let count: Int
  /// As ``listed(_:)`` has them.
  package let dates: String
  package let claim = "Days in the middle of the data are missing."
  package let detail: String

  /// `nil` where there are none.
  ///
  /// - Parameter first: dates before that don't matter; all do if `nil`.
  package init?(_ provenance: Provenance, since first: String? = nil) {
    let days = provenance.missingDays.filter { day in first.map { day.date >= $0 } ?? true }
    guard let worst = days.first else { return nil }
    count = days.count
    dates = Self.listed(days.map(\.date))
    let people = worst.persons == 1 ? "person has" : "people have"
    detail = """
      On \(dates) (UTC) hardly anybody has events: on \(worst.date) \
      \(NumberText.grouped(worst.persons)) \(people), where \
      \(NumberText.grouped(worst.leastPersons)) are usual on that weekday. Who began then is \
      missing from the numbers; nobody counts for a retention whose days these are.
      """
  }

  /// `2026-03-30, 2026-03-31, 2026-04-01 and 2 more`
  package static func listed(_ dates: [String]) -> String {
    let more = dates.count > 3 ? " and \(dates.count - 3) more" : ""
    return dates.prefix(3).joined(separator: ", ") + more
  }
}
