internal import ReportText

/// How many people a comparison lacks, in words.
package enum MissingPersonsText {
  /// `needs about 45,600 more people (≈ 16 weeks at today’s pace) to detect a 5 % lift (3.4
  /// points)`
  ///
  /// - Parameters:
  ///   - control: the rate that the lift is of; tables and intervals are in points.
  ///   - perWeek: how many people start in both variants a week; `nil` where unknown.
  package static func needs(_ missing: Int, lift: Double, of control: Double?, perWeek: Double?)
    -> String
  {
    let points = control.map { " (\(RateText.number(lift * $0)) points)" } ?? ""
    // A wait of years is no estimate, and says nothing of the difference that is seen.
    guard isWorthSaying(Double(missing), perWeek: perWeek) else {
      return "needs far more people than are likely to come to detect a lift as small as "
        + "\(RateText.bound(lift))\(points)"
    }
    // A lift that would pass 100 % is looked for as far as it can go.
    if let control, control * (1 + lift) > 1 {
      return "needs \(people(missing, perWeek: perWeek)) to detect even a rise to 100 %"
    }
    return "needs \(people(missing, perWeek: perWeek)) to detect a \(RateText.bound(lift)) lift"
      + points
  }

  /// `about 45,600 more people (≈ 16 weeks at today’s pace)`
  package static func people(_ missing: Int, perWeek: Double?) -> String {
    let time = perWeek.flatMap { weeks(Double(missing) / $0) }.map { " (\($0))" } ?? ""
    return "about \(rounded(missing)) more people\(time)"
  }

  /// Whether more people come too slowly for a decision that anybody waits for.
  package static func isFarOff(_ missing: Double, perWeek: Double?) -> Bool {
    perWeek.map { missing / $0 > farWeeks } ?? false
  }

  /// Whether a number of people, which may be infinite, is one that may come at all.
  package static func isWorthSaying(_ missing: Double, perWeek: Double?) -> Bool {
    missing < mostPeople && perWeek.map { missing / $0 <= mostWeeks } ?? true
  }

  /// What to do where the people who are missing take too long to come.
  package static let waitingIsNoUse =
    "Waiting won’t settle this soon: decide on other grounds, or test a bolder change."

  private static let farWeeks = 26.0

  private static let mostWeeks = 156.0

  private static let mostPeople = 1e9

  private static func weeks(_ weeks: Double) -> String? {
    guard weeks.isFinite, weeks >= 0 else { return nil }
    if weeks < 1 { return "less than a week at today’s pace" }
    let whole = Int(weeks.rounded())
    return "≈ \(CountText.of(whole, "week")) at today’s pace"
  }

  /// Three digits are all that a plan is good for.
  package static func rounded(_ count: Int) -> String {
    var unit = 1
    while count / unit >= 1000 { unit *= 10 }
    return NumberText.grouped((count + unit / 2) / unit * unit)
  }
}
