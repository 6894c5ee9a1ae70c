import FlowDefinition
import FunnelEngine
import FunnelMetrics
import ReferenceEvaluator
import ReportFindings
import ReportText
import Testing

/// Days on which an app's own events are missing while others go on.
struct MissingStartsTests {
  private static let monday: Int64 = 1_767_571_200_000
  private static let day: Int64 = 86_400_000
  private static let cohortNames = ["2026-W05", "2026-W06", "2026-W07", "2026-W08"]

  private static func flow(_ settings: String = "") throws -> Flow {
    try FlowParser.parse("flow: two\nsteps: [welcome, done]\n\(settings)", file: "two.yaml").flow
  }

  /// - Parameter starts: how many people start on each day; twelve others are seen every day.
  private static func lines(_ starts: [Int], at hour: Int64 = 9) -> [String] {
    var lines: [String] = []
    for (place, count) in starts.enumerated() {
      let time = monday + Int64(place) * day + hour * 3_600_000
      for person in 0..<count {
        lines.append(
          #"{"event":"onboarding_started","user_id":"u\#(place)-\#(person)","timestamp":\#(time)}"#)
      }
      for person in 0..<12 {
        lines.append(
          #"{"event":"bill_sent","user_id":"old-\#(person)","timestamp":\#(time + 60_000)}"#)
      }
    }
    return lines
  }

  private static func dates(_ days: some Sequence<Int>) -> Set<String> {
    Set(days.map { CivilCalendar.label(ofDay: 20_458 + $0, unit: .day) })
  }

  private static func missing(
    _ starts: [Int], flow settings: String = "", options: ReferenceOptions = ReferenceOptions(),
    at hour: Int64 = 9
  ) async throws -> Set<String> {
    let (lines, flow) = (lines(starts, at: hour), try flow(settings))
    let found = try await Evaluated(files: [lines], flow: flow, options: options)
    let dates = Set(found.analysis.missingStarts.map(\.date))
    let reference = ReferenceEvaluator(flow: flow, options: options).evaluate(lines: lines)
    #expect(dates == reference.missingStarts)
    return dates
  }

  private static func week(_ weekdays: Int, _ weekend: Int, days: Int) -> [Int] {
    (0..<days).map { $0 % 7 < 5 ? weekdays : weekend }
  }

  private static func without(_ days: Range<Int>, _ starts: [Int], leaving left: Int = 0) -> [Int] {
    starts.indices.map { days.contains($0) ? left : starts[$0] }
  }

  @Test func `an outage is found`() async throws {
    for days in [30..<37, 30..<31, 28..<42, 21..<26] {
      let found = try await Self.missing(Self.without(days, Self.week(30, 25, days: 63)))
      #expect(found == Self.dates(days))
    }
    // A few people of each day are left.
    let leaking = Self.without(30..<37, Self.week(30, 25, days: 63), leaving: 1)
    #expect(try await Self.missing(leaking) == Self.dates(30..<37))
  }

  @Test func `of a small app a long one is`() async throws {
    let starts = Self.week(3, 3, days: 63)
    #expect(try await Self.missing(Self.without(30..<37, starts)) == Self.dates(30..<37))
    #expect(try await Self.missing(Self.without(30..<34, starts)).isEmpty)
  }

  @Test func `one that goes on is found before the date of the end`() async throws {
    let starts = Self.without(50..<63, Self.week(30, 25, days: 63))
    #expect(try await Self.missing(starts) == Self.dates(50..<62))
    // After four weeks nothing is usual any more.
    let ended = Self.without(30..<63, Self.week(30, 25, days: 63))
    #expect(try await Self.missing(ended).isEmpty)
    // A campaign is over, and one person a day comes all the same.
    let fading = Self.without(50..<63, Self.week(30, 25, days: 63), leaving: 1)
    #expect(try await Self.missing(fading).isEmpty)
  }

  @Test func `weekends, launches and campaigns are none`() async throws {
    let series = [
      Self.week(40, 2, days: 63), Self.week(40, 0, days: 63),
      (0..<63).map { $0 < 20 ? 3 : 40 }, (0..<63).map { $0 < 40 ? 40 : 3 },
      (0..<63).map { (30..<37).contains($0) ? 60 : 3 }, (0..<63).map { $0 / 2 },
    ]
    for starts in series { #expect(try await Self.missing(starts).isEmpty) }
  }

  @Test func `dates are the flow's, and those of the period`() async throws {
    let starts = Self.without(30..<37, Self.week(30, 25, days: 63))
    let eastern = "time_zone: Pacific/Auckland\n"
    let late = try await Self.missing(starts, flow: eastern, at: 20)
    #expect(late == Self.dates(31..<38))
    func period(_ from: Int64, _ to: Int64) -> ReferenceOptions {
      ReferenceOptions(
        fromMilliseconds: Self.monday + from * Self.day,
        toMilliseconds: Self.monday + to * Self.day)
    }
    #expect(try await Self.missing(starts, options: period(7, 56)) == Self.dates(30..<37))
    // It is none of the outage's that nobody started before the period.
    #expect(try await Self.missing(starts, options: period(32, 56)).isEmpty)
    #expect(try await Self.missing(starts, options: period(7, 34)) == Self.dates(30..<34))
  }

  @Test func `random series agree with the reference`() async throws {
    var generator = SeededGenerator(seed: 16)
    var found = 0
    for _ in 0..<12 {
      let level = [2, 4, 9, 20].randomElement(using: &generator) ?? 4
      var starts = (0..<50).map { day in
        (0..<4).reduce(0) { sum, _ in sum + Int.random(in: 0...level, using: &generator) }
          / (day % 7 < 5 ? 2 : 6)
      }
      for _ in 0..<2 {
        let first = Int.random(in: 0..<45, using: &generator)
        let length = Int.random(in: 1...12, using: &generator)
        for day in first..<min(50, first + length) { starts[day] = starts[day] / 20 }
      }
      found += try await Self.missing(starts).count
    }
    #expect(found > 20)
  }

  @Test func `its cohorts are partial, and the grade says so`() async throws {
    let starts = Self.without(30..<37, Self.week(30, 25, days: 63))
    let found = try await Evaluated(files: [Self.lines(starts)], flow: Self.flow())
    let partial = found.analysis.cohorts().filter(found.analysis.isPartial).map(\.cohort)
    #expect(partial.filter(Self.cohortNames.contains) == ["2026-W06", "2026-W07"])
    let report = Report(found.analysis, provenance: Provenance(programVersion: "0"))
    let claim = "Hardly anybody started on 2026-02-04 and 6 other days."
    #expect(report.findings.contains { $0.claim.text == claim })
    let grade = ReportGrade(report)
    #expect(grade.letter >= .b && grade.reasons.contains { $0.text.contains(claim) })
    // A day that is missing altogether is named once.
    var provenance = Provenance(programVersion: "0")
    provenance.missingDays = [.init(date: "2026-02-04", persons: 0, leastPersons: 42)]
    #expect(Report(found.analysis, provenance: provenance).missingStarts.count == 6)
  }
}
