internal import ReportText

/// What is said of dates on which hardly anybody started: in reports, by `validate`, by gates.
package struct MissingStartsWords {
  package let count: Int
  /// `2 – 8 Feb 2026`, and of several runs the first three.
  package let dates: String
  package let claim: String
  package let detail: String

  /// `nil` where there are none.
  ///
  /// - Parameter first: days before that, since 1970-01-01, don't matter; all do if `nil`.
  package init?(_ report: Report, since first: Int? = nil) {
    self.init(report.missingStarts.filter { $0.day >= first ?? .min })
  }

  package init?(_ days: [MissingStarts.Day]) {
    guard let worst = days.first else { return nil }
    var runs: [ClosedRange<Int>] = []
    for day in days.map(\.day) {
      if let last = runs.last, day <= last.upperBound + 1 {
        runs[runs.count - 1] = last.lowerBound...day
      } else {
        runs.append(day...day)
      }
    }
    let more = runs.count > 3 ? " and \(runs.count - 3) more times" : ""
    count = days.count
    dates =
      runs.prefix(3).map { DateText.range($0.lowerBound, $0.upperBound) }.joined(separator: ", ")
      + more
    let others = count - 1
    claim =
      "Hardly anybody started on \(worst.date)"
      + (others == 0 ? "." : " and \(CountText.of(others, "other day")).")
    let people = worst.people == 1 ? "1 person" : "\(NumberText.grouped(worst.people)) people"
    detail = """
      \(dates): on \(worst.date) \(people) started, where \(NumberText.grouped(worst.usual)) are \
      usual on that weekday. Were the app's events lost, or could nobody start? Those people are \
      missing from the numbers.
      """
  }
}
