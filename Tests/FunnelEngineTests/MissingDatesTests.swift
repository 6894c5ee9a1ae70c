import FlowDefinition
import FunnelEngine
import FunnelMetrics
import ReferenceEvaluator
import Testing

/// Retention around days of which hardly anything is in the data (definitions 11.3).
struct MissingDatesTests {
  private static let monday: Int64 = 1_767_571_200_000
  private static let day: Int64 = 86_400_000
  private static let days = 45
  private static let starters = 30

  private static func flow(_ settings: String = "") throws -> Flow {
    try FlowParser.parse(
      """
      flow: two
      steps: [welcome, done]
      retention: [{days: [1, 7]}, {bracket: [2, 12]}, {bracket: [1, 30]}, {days: 7, event: paid, id: paid}]
      \(settings)
      """, file: "two.yaml"
    ).flow
  }

  /// Thirty people start on each day at nine. A third of them is back on each later day, and a
  /// tenth pays then.
  private static func lines(without missing: Range<Int>, leaving left: Int = 0) -> [String] {
    var lines: [(day: Int, text: String)] = []
    func add(_ event: String, _ user: String, _ place: Int, _ minute: Int64) {
      let time = monday + Int64(place) * day + 9 * 3_600_000 + minute * 60_000
      lines.append(
        (place, #"{"event":"\#(event)","user_id":"\#(user)","timestamp":\#(time)}"#))
    }
    for start in 0..<days {
      for person in 0..<starters {
        let user = "u\(start)-\(person)"
        add("onboarding_started", user, start, 0)
        for later in 1..<(days - start) where (person + later) % 3 == 0 {
          add(person % 10 == later % 10 ? "paid" : "app_opened", user, start + later, 30)
        }
      }
    }
    var kept = 0
    return lines.filter { line in
      if !missing.contains(line.day) { return true }
      kept += 1
      return kept <= left
    }.map(\.text)
  }

  private func share(
    _ measure: String, _ lines: [String], _ flow: Flow
  ) async throws -> (returned: Int, persons: Int) {
    let found = try await Evaluated(files: [lines], flow: flow)
    let reference = ReferenceEvaluator(flow: flow).evaluate(lines: lines)
    #expect(found.disagreements(with: reference) == [])
    let row = try #require(
      found.analysis.rows.first { "\($0.metric)" == measure && $0.slice == .all })
    return (row.numerator ?? -1, row.denominator ?? -1)
  }

  @Test(arguments: ["", "day: calendar\n"])
  func `nobody counts for a day that is missing`(settings: String) async throws {
    let flow = try Self.flow(settings)
    let whole = try await share("retention_d7", Self.lines(without: 0..<0), flow)
    let cut = try await share("retention_d7", Self.lines(without: 20..<23, leaving: 2), flow)
    // Of all cohorts a third comes back on day 7; none of those that remain has lost one of them.
    #expect(whole.returned * 3 == whole.persons)
    #expect(cut.returned * 3 == cut.persons)
    // Those are gone who would have started then, and those with the seventh day on them: by the
    // clock that is a cohort more, for its day ends on the first of them.
    let cohorts = settings.isEmpty ? 3 + 4 : 3 + 3
    #expect(whole.persons - cut.persons == cohorts * Self.starters)
  }

  @Test func `a long window may lack a tenth of its days`() async throws {
    let flow = try Self.flow()
    let lines = Self.lines(without: 20..<23, leaving: 2)
    let whole = Self.lines(without: 0..<0)
    // Three of eleven days are more than a tenth, three of thirty are not.
    let short = try await share("retention_d2_12", lines, flow)
    let all = try await share("retention_d2_12", whole, flow)
    #expect(all.persons - short.persons > 3 * Self.starters)
    let long = try await share("retention_d1_30", lines, flow)
    let everyone = try await share("retention_d1_30", whole, flow)
    #expect(long.persons == everyone.persons)
  }

  @Test func `how many don't count is counted`() async throws {
    let flow = try Self.flow()
    let found = try await Evaluated(
      files: [Self.lines(without: 20..<23, leaving: 2)], flow: flow)
    // Days end at nine: those of the last cohort before the gap lie nine hours on its first date.
    // Of the window of eleven days more than 26.4 hours are missing for starts on days 8 to 19.
    let cohorts = [2, 4, 12, 0, 4]
    #expect(found.analysis.tally.quality.lackingDates == cohorts.map { $0 * Self.starters })
  }
}
