internal import FunnelEngine
internal import ReportText

/// What is said of dates on which hardly anybody started: in reports, by `validate`, by gates.
package struct MissingStartsWords {
  package let count: Int
  /// `2 – 8 Feb 2026`, and of several runs the first three.
  package let dates: String
  package let claim: String
  package let detail: String
  /// Whether it goes on up to the end of the data, which may then be of people who started before.
  package private(set) var goesOn = false

  /// `nil` where there are none.
  ///
  /// - Parameter first: days before that, since 1970-01-01, don't matter; all do if `nil`.
  package init?(_ report: Report, since first: Int? = nil) {
    self.init(
      report.missingStarts.filter { $0.day >= first ?? .min },
      until: report.analysis.tally.wholeDays?.upperBound)
  }

  /// - Parameter end: the last day that lies wholly in the data, since 1970-01-01.
  package init?(_ days: [MissingStarts.Day], until end: Int? = nil) {
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
    let people = worst.people == 1 ? "1 person" : "\(NumberText.grouped(worst.people)) people"
    let numbers = """
      on \(worst.date) \(people) started, where \(NumberText.grouped(worst.usual)) are usual on \
      that weekday
      """
    // An outage that goes on, or a dump of the people who started until then.
    if runs.count == 1, let run = runs.first, run.upperBound == end {
      claim = "Hardly anybody has started since \(DateText.day(run.lowerBound))."
      detail = """
        Other events go on: \(numbers). Are the app's events lost, or can nobody start? If the \
        dump is of people who started before, nothing is missing.
        """
      goesOn = true
      return
    }
    let others = count - 1
    claim =
      "Hardly anybody started on \(worst.date)"
      + (others == 0 ? "." : " and \(CountText.of(others, "other day")).")
    detail = """
      \(dates): \(numbers). Were the app's events lost, or could nobody start? Those people are \
      missing from the numbers.
      """
  }
}
