internal import FlowDefinition
internal import FunnelEngine

/// Sentences that stand on several surfaces (page, Markdown, terminal, gate): written once, so that
/// all of them say it in the words of docs and meetings.
enum ReportWords {
  /// `1 person`, `1,200 people`
  static func people(_ count: Int) -> String {
    count == 1 ? "1 person" : "\(NumberText.grouped(count)) people"
  }

  /// What a version of the flow is, where the app's versions are near.
  static let flowVersion =
    "which list of steps people were given. It isn’t the release of the app (app_version): "
    + "several releases may share one."

  /// `13 people joined too recently to count.`, for people whose window is still open; of a
  /// measure's days, `13 people joined too recently for day 7.`
  static func tooRecent(_ count: Int, for days: String? = nil) -> String {
    "\(people(count)) joined too recently \(days.map { "for \($0)" } ?? "to count")."
  }

  /// `12 days before the first start`: where the data begin, and how far back people are known.
  static func beginning(_ lookBackDays: Int) -> String {
    lookBackDays == 0
      ? "with the first start" : "\(CountText.of(lookBackDays, "day")) before the first start"
  }

  /// Who can be known to have used the app before, in a sentence.
  static func knownBefore(_ lookBackDays: Int) -> String {
    lookBackDays == 0
      ? "Nothing is known of people before the first start, so users of the app from before may be "
        + "among them."
      : "Who used the app before is known for the \(CountText.of(lookBackDays, "day")) before the "
        + "first start."
  }

  /// `5 Jan – 3 Jul 2026`: when the people of a report started; `nil` where nobody did.
  static func dates(_ report: Report) -> String? {
    report.startDays().map { DateText.range($0.lowerBound, $0.upperBound) }
  }

  /// `within the 1–3 min target`
  static func against(_ target: ClosedRange<Int64>, milliseconds: Double) -> String {
    let place =
      milliseconds > Double(target.upperBound)
      ? "above" : milliseconds < Double(target.lowerBound) ? "below" : "within"
    return "\(place) the \(RateText.expected(target, isDashed: true)) target"
  }

  /// `Targets: 1 of 5 met, 1 missed, 3 undecided.`
  static func targets(_ verdicts: [TargetCheck.Verdict]) -> String {
    func count(_ verdict: TargetCheck.Verdict) -> Int { verdicts.count { $0 == verdict } }
    var parts = ["\(count(.met)) of \(NumberText.grouped(verdicts.count)) met"]
    let others: [TargetCheck.Verdict] = [.missed, .unclear, .unknown]
    for verdict in others where count(verdict) > 0 {
      parts.append("\(count(verdict)) \(verdict == .unknown ? "with no data" : verdict.rawValue)")
    }
    return "Targets: \(parts.joined(separator: ", "))."
  }

  /// `All sums add up (4 checks in 163 slices).`
  static func sums(_ analysis: Analysis) -> String {
    let slices = "\(NumberText.grouped(analysis.slices.slices.count)) slices"
    let failures = analysis.identities.flatMap(\.failures)
    guard let first = failures.first else {
      return "All sums add up (\(analysis.identities.count) checks in \(slices))."
    }
    return "\(failures.count) sums in \(slices) don't add up, the first: \(SafeText.name(first))."
  }

  /// `needs about 45,600 more people (≈ 16 weeks at today's pace) to detect a 5 % lift`
  ///
  /// - Parameter perWeek: how many people start in both variants a week; `nil` where unknown.
  static func needs(_ missing: Int, lift: Double, perWeek: Double?) -> String {
    let time = perWeek.flatMap { weeks(Double(missing) / $0) }.map { " (\($0))" } ?? ""
    return "needs about \(rounded(missing)) more people\(time) to detect a "
      + "\(RateText.bound(lift)) lift"
  }

  private static func weeks(_ weeks: Double) -> String? {
    guard weeks.isFinite, weeks >= 0 else { return nil }
    if weeks < 1 { return "less than a week at today's pace" }
    if weeks > 520 { return "more than 10 years at today's pace" }
    let whole = Int(weeks.rounded())
    return "≈ \(whole) \(whole == 1 ? "week" : "weeks") at today's pace"
  }

  /// Three digits are all that a plan is good for.
  private static func rounded(_ count: Int) -> String {
    var unit = 1
    while count / unit >= 1000 { unit *= 10 }
    return NumberText.grouped((count + unit / 2) / unit * unit)
  }

  /// `With 215 people a true lift below 34 % would often be missed.`
  static func power(_ people: Int, lift: Double) -> String {
    "With \(self.people(people)) a true lift below \(RateText.percent(lift)) would often be "
      + "missed."
  }
}
