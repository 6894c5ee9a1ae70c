import FlowDefinition
import FunnelEngine
import FunnelMetrics
import FunnelReport
import ReferenceEvaluator
import ReportText
import Testing

/// A retention table that rises because other people stand behind its later days.
struct CommonCohortTests {
  private static let monday = 1_767_571_200_000

  private static func analysis(
    _ settings: String = "", from: Int? = nil, to: Int? = nil, days: Int = 40,
    beginning first: Int = 0, stray: Int? = nil
  ) async throws -> Analysis {
    let text = "flow: two\nsteps: [welcome, done]\nretention: [{days: [14, 30]}]\n\(settings)"
    let flow = try FlowParser.parse(text, file: "two.yaml").flow
    var lines: [String] = []
    func add(_ user: String, _ day: Int, _ event: String) {
      let time = monday + day * 86_400_000 + 3_600_000
      lines.append(#"{"event":"\#(event)","user_id":"\#(user)","timestamp":\#(time)}"#)
    }
    // 100 people on the first day, of whom 30 and then 20 come back; 200 on day 19, of whom 7 do.
    for person in 0..<300 {
      let isEarly = person < 100
      let user = "u\(person)"
      add(user, isEarly ? first : 19, "onboarding_started")
      if person < 30 { add(user, 14, "opened") }
      if person < 20 { add(user, 30, "opened") }
      if person >= 293 { add(user, 33, "opened") }
    }
    if let stray { add("stray", stray, "onboarding_started") }
    func milliseconds(_ day: Int?) -> Int64? { day.map { Int64(monday + $0 * 86_400_000) } }
    let options = ReferenceOptions(
      asOfMilliseconds: Int64(monday + days * 86_400_000 - 1),
      fromMilliseconds: milliseconds(from), toMilliseconds: milliseconds(to))
    return try await Evaluated(files: [lines], flow: flow, options: options).analysis
  }

  @Test func `the common cohort falls where the table rises`() async throws {
    let analysis = try await Self.analysis()
    func share(_ metric: MetricName) -> [Int?] {
      let row = analysis.row(metric)
      return [row?.numerator, row?.denominator]
    }
    // 12.3 % and then 20.0 %.
    #expect(share(.retention(day: 14)) == [37, 300])
    #expect(share(.retention(day: 30)) == [20, 100])
    #expect(share(.retention(day: 14).ofCommonCohort) == [30, 100])
    #expect(share(.retention(day: 30).ofCommonCohort) == [20, 100])
    let report = Report(analysis, provenance: Provenance(programVersion: "0"))
    let summary = report.terminalSummary(style: TerminalStyle())
    #expect(summary.contains("Among the 100 people for whom"))
    for (name, text) in [
      ("report.html", "The same people throughout"),
      ("retention.csv", "common,common_came_back,common_rate"),
    ] {
      let document = try #require(report.documents().first { $0.name == name })
      #expect(document.text.contains(text), "\(name)")
    }
  }

  @Test(
    arguments: [
      // The data begin on a Monday and end on a Friday, the 40th day.
      (nil, nil, ["2026-W07"]), (2, nil, ["2026-W02", "2026-W07"]), (0, 21, ["2026-W07"]),
      (0, 20, ["2026-W04", "2026-W07"]), (7, 28, ["2026-W07"]),
    ] as [(Int?, Int?, [String])])
  func `weeks that the data or the period cut are partial`(
    from: Int?, to: Int?, partial: [String]
  ) async throws {
    let analysis = try await Self.analysis(from: from, to: to)
    #expect(analysis.tally.partialCohorts.sorted() == partial)
  }

  @Test func `a clock that is behind does not make the first week whole`() async throws {
    let without = try await Self.analysis(beginning: 2)
    #expect(without.tally.partialCohorts == ["2026-W02", "2026-W07"])
    let with = try await Self.analysis(beginning: 2, stray: -9)
    #expect(with.tally.partialCohorts == ["2025-W52", "2026-W01", "2026-W02", "2026-W07"])
  }

  @Test func `a partial week is marked where weeks are shown`() async throws {
    let whole = try await Self.analysis()
    let cut = try await Self.analysis(to: 20)
    let name = "19 Jan – 25 Jan 2026"
    for (analysis, isMarked) in [(whole, false), (cut, true)] {
      let page = try #require(
        Report(analysis, provenance: Provenance(programVersion: "0")).documents()
          .first { $0.name == "report.html" })
      #expect(page.text.contains("\(name) (partial)") == isMarked)
    }
    let late = try await Self.analysis(from: -2, days: 23)
    #expect(late.tally.partialCohorts == ["2026-W01", "2026-W05"])
  }
}
