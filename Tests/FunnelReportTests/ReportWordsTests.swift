@testable import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import ReportFindings
@testable import ReportText
import Testing

@Suite("Sentences that several surfaces share")
struct ReportWordsTests {
  @Test func `one person and many people`() {
    #expect(ReportWords.people(1) == "1 person")
    #expect(ReportWords.people(1200) == "1,200 people")
    #expect(ReportWords.tooRecent(13) == "13 people joined too recently to count.")
    #expect(ReportWords.tooRecent(13, for: "day 7") == "13 people joined too recently for day 7.")
  }

  @Test(arguments: [
    (59.0, 58.0...59.5, "below the 1–3 min target"),
    (59, 58.0...60, "not clearly below the 1–3 min target"),
    (60, 50.0...70, "within the 1–3 min target"), (180, 170.0...200, "within the 1–3 min target"),
    (181, 180.0...190, "not clearly above the 1–3 min target"),
    (190, 181.0...200, "above the 1–3 min target"),
    (190, nil, "not clearly above the 1–3 min target"),
  ])
  func `a median is off its target where all of its interval is`(
    _ median: Double, _ interval: ClosedRange<Double>?, _ words: String
  ) {
    #expect(TimeVerdict(median, interval, 60_000...180_000).againstTarget == words)
  }

  @Test func `a target of two units names both`() {
    #expect(
      TimeVerdict(1, 1...1, 30_000...120_000).againstTarget == "below the 30 s – 2 min target")
    #expect(TimeVerdict(9, 9...9, 90_000...90_000).againstTarget.hasSuffix("min 30 s target"))
  }

  @Test func `where the data begin is said without zeros`() {
    #expect(LookBack(days: 0).beginning == "with the first start")
    #expect(LookBack(days: 1).beginning == "1 day before the first start")
    #expect(
      LookBack(days: 0, knowsEveryone: true).beginning == "with the app's first users")
    #expect(ReportWords.knownBefore(0).contains("begins with the first start"))
    #expect(ReportWords.knownBefore(12).contains("12 days before the first start"))
  }

  @Test func `targets are counted by verdict`() {
    let verdicts: [TargetCheck.Verdict] = [.unclear, .met, .missed, .unclear, .unclear]
    #expect(ReportWords.targets(verdicts) == "Targets: 1 of 5 met, 1 missed, 3 undecided.")
    #expect(ReportWords.targets([.met, .met]) == "Targets: 2 of 2 met.")
    #expect(ReportWords.targets([.unknown]) == "Targets: 0 of 1 met, 1 with no data.")
  }

  @Test(arguments: [
    (45_613, 2850.0, "needs about 45,600 more people (≈ 16 weeks at today’s pace)"),
    (999, 2000, "needs about 999 more people (less than a week at today’s pace)"),
    (1999, 1999, "needs about 2,000 more people (≈ 1 week at today’s pace)"),
  ])
  func `what is missing is rounded and timed`(_ missing: Int, _ perWeek: Double, _ words: String) {
    #expect(
      MissingPersonsText.needs(missing, lift: 0.05, of: 0.684, perWeek: perWeek) == words
        + " to detect a 5 % lift (3.4 points)")
  }

  @Test func `a wait of more than three years is no estimate`() {
    #expect(
      MissingPersonsText.needs(2_000_000, lift: 0.05, of: 0.123, perWeek: 10)
        == "needs far more people than are likely to come to detect a lift as small as 5 % (0.6 points)"
    )
    let long = MissingPersonsText.needs(1560, lift: 0.05, of: nil, perWeek: 10)
    #expect(long.contains("156 weeks") && long.hasSuffix(" to detect a 5 % lift"))
  }

  @Test func `a lift beyond everybody is looked for as far as it goes`() {
    #expect(
      MissingPersonsText.needs(649, lift: 0.05, of: 0.974, perWeek: nil)
        == "needs about 649 more people to detect even a rise to 100 %")
    #expect(
      MissingPersonsText.needs(649, lift: 0.05, of: 0.95, perWeek: nil)
        == "needs about 649 more people to detect a 5 % lift (4.8 points)")
  }

  @Test func `half a year is longer than anybody waits for a decision`() {
    #expect(MissingPersonsText.isFarOff(261, perWeek: 10))
    #expect(!MissingPersonsText.isFarOff(260, perWeek: 10))
    #expect(!MissingPersonsText.isFarOff(1_000_000, perWeek: nil))
  }

  @Test func `without a pace there are no weeks`() {
    #expect(
      MissingPersonsText.needs(45_613, lift: 0.05, of: nil, perWeek: nil)
        == "needs about 45,600 more people to detect a 5 % lift")
  }

  @Test func `power is in points, as the table below it`() {
    #expect(
      ReportWords.power(215, lift: 0.336, of: 0.4)
        == "With 215 people, a true rise of less than 13.4 points (33.6 % of the control’s "
        + "rate) would often be missed.")
    #expect(
      ReportWords.power(215, lift: 0.336, of: nil)
        == "With 215 people, a true rise of less than 33.6 % of the control’s rate would "
        + "often be missed.")
  }

  @Test func `metrics without a clear difference are counted`() {
    #expect(ReportWords.undecidedMetrics(1) == "1 more metric, without a clear difference")
    #expect(ReportWords.undecidedMetrics(11) == "11 more metrics, none with a clear difference")
  }

  @Test(arguments: [
    (29.0, "✕", "shorter than expected"), (30, "✓", "as expected"), (120, "✓", "as expected"),
    (121, "✕", "longer than expected"),
  ])
  func `a time is no target that is met or missed`(
    _ seconds: Double, _ glyph: String, _ words: String
  ) {
    let verdict = TimeVerdict(seconds, seconds...seconds, 30_000...120_000)
    #expect(verdict.glyph == glyph && verdict.words == words)
  }

  @Test(arguments: [
    ("2026-W04", "2026-01-19", "2026-01-25"), ("2026-W01", "2025-12-29", "2026-01-04"),
    ("2020-W53", "2020-12-28", "2021-01-03"), ("2026-02", "2026-02-01", "2026-02-28"),
    ("2026-12", "2026-12-01", "2026-12-31"), ("2026-03-09", "2026-03-09", "2026-03-09"),
  ])
  func `a cohort has its first and last date`(_ name: String, _ first: String, _ last: String) {
    let dates = CohortDates(name)
    #expect(dates?.firstText == first)
    #expect(dates?.lastText == last)
  }

  @Test(arguments: ["all", "", "2026", "2026-W54", "2026-13", "-5-01", "W04-2026"])
  func `what is no cohort has no dates`(_ name: String) { #expect(CohortDates(name) == nil) }

  @Test func `a range of dates names the year once`() throws {
    let (first, last) = try (#require(CohortDates("2026-W02")), #require(CohortDates("2026-W27")))
    #expect(DateText.range(first.first, last.last) == "5 Jan – 5 Jul 2026")
    let before = try #require(CohortDates("2025-W52"))
    #expect(DateText.range(before.first, last.last) == "22 Dec 2025 – 5 Jul 2026")
    #expect(DateText.range(first.first, first.first) == "5 Jan 2026")
  }
}
