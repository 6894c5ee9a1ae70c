import FlowDefinition
import Foundation
import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import ReportFindings
@testable import ReportText
import Testing

@Suite("The last reports")
struct TrendTests {
  private static let day: Int64 = 86_400_000

  private func past(_ horizon: Int64, finished: Int) -> PastReport {
    PastReport(
      horizonMilliseconds: horizon,
      rows: [
        MetricRow(
          slice: .all, metric: .completionRate, numerator: finished, denominator: 100,
          value: Double(finished) / 100, unit: .rate),
        MetricRow(
          slice: .all, metric: .persons, numerator: 100, value: 100, unit: .persons),
      ])
  }

  private func report(_ days: [(before: Int64, finished: Int)]) throws -> Report {
    var report = try DemoReport.ordinary()
    let horizon = try #require(report.provenance.horizonMilliseconds)
    report.past = days.map { past(horizon - $0.before * TrendTests.day, finished: $0.finished) }
    return report
  }

  @Test func `of one horizon the latest counts, and none beyond the report's own`() throws {
    let report = try report([(9, 10), (2, 20), (9, 30), (0, 40), (-3, 50)])
    let trend = try #require(ReportTrend(report))
    let counts = trend.runs.map { trend.row($0, .completionRate)?.numerator }
    #expect(counts.dropLast() == [30, 20])
    #expect(counts.last == report.analysis.row(.completionRate)?.numerator)
    #expect(trend.runs.last?.past == nil)
  }

  @Test func `the day of 'to' is not one on which people started`() throws {
    let whole = try DemoReport.ordinary()
    let days = try #require(whole.startDays())
    for (to, last) in [
      ("2026-01-25", "2026-01-24"), ("2026-01-24T23:00:00Z", "2026-01-24"),
      ("2026-01-25T00:00:00Z", "2026-01-24"), ("2026-01-25T00:00:01Z", "2026-01-25"),
    ] {
      var provenance = whole.provenance
      provenance.options["to"] = to
      let found = try #require(Report(whole.analysis, provenance: provenance).startDays())
      #expect(found.lowerBound == days.lowerBound)
      #expect(found.upperBound == InstantReader.day(last), "\(to)")
    }
  }

  @Test func `releases are those that came later and that people have`() throws {
    var flow = try DemoFlow.flow()
    flow.dimensions[0].path = "context.app_version"
    var demo = try DemoTally(flow)
    let people = ["1.0": 30, "2.0": 10, "2.1": 9, "3.0": 40, "(none)": 50]
    for (release, count) in people {
      demo.add(
        .init(
          count: count, variant: .assigned("long"), outcome: .abandoned, viewed: [0], os: release))
    }
    demo.setFirstDays(["1.0": 100, "2.0": 120, "2.1": 121, "3.0": 107, "(none)": 130])
    let found = Analysis(of: demo.tally, flow).releases
    #expect(found.map(\.name) == ["3.0", "2.0"])
    #expect(found.map(\.day) == [107, 120])
    demo.setFirstDays(["1.0": 102, "3.0": 107])
    #expect(Analysis(of: demo.tally, flow).releases.isEmpty, "within a week of the first")
  }

  @Test func `a release stands at its date between the first days of its week and the next`() throws
  {
    var flow = try DemoFlow.flow()
    flow.dimensions[0].path = "context.app_version"
    var demo = try DemoTally(flow)
    // Weeks that begin on 5, 12, 19 and 26 January 2026; the 23rd is a Friday.
    for (week, release) in [("02", "1.0"), ("03", "1.0"), ("04", "2.0"), ("05", "2.0")] {
      demo.add(
        .init(
          count: 30, variant: .assigned("long"), outcome: .finished, viewed: [0, 1, 2, 3],
          cohort: "2026-W\(week)", os: release))
    }
    let first = CivilCalendar.dayNumber(year: 2026, month: 1, day: 5)
    demo.setFirstDays(["1.0": first, "2.0": first + 18])
    let page = Report(Analysis(of: demo.tally, flow), provenance: DemoReport.provenance())
      .htmlText()
    func place(_ pattern: Regex<(Substring, Substring)>) throws -> Double {
      try #require(page.firstMatch(of: pattern).flatMap { Double($0.output.1) })
    }
    let release = try place(/class="release" x1="([0-9.]+)%"/)
    let monday = try place(/<text x="([0-9.]+)%" y="160">19 Jan</)
    let next = try place(/<text class="tick-minor" x="([0-9.]+)%" y="160">26 Jan</)
    #expect(abs((release - monday) / (next - monday) - 4.5 / 7) < 0.01)
    #expect(page.contains("2.0 (23 Jan)</bdi> first seen"))
  }

  @Test func `two runs of one day say their times`() throws {
    var report = try report([(5, 10)])
    let horizon = try #require(report.provenance.horizonMilliseconds)
    #expect(try #require(ReportTrend(report)).runs.allSatisfy { $0.label.count == 10 })
    report.past.append(past(horizon - 5 * TrendTests.day + 1000, finished: 1))
    #expect(try #require(ReportTrend(report)).runs.allSatisfy { $0.label.hasSuffix(" UTC") })
  }

  @Test func `no more than twelve runs`() throws {
    let report = try report((1...40).map { (Int64($0), 50) })
    #expect(try #require(ReportTrend(report)).runs.count == ReportTrend.maximumRuns)
  }

  @Test func `the terminal tells runs and looks, and names can do nothing there`() throws {
    var flow = try DemoFlow.flow()
    flow.experiments[0].id = "len\u{1B}[31mgth" + String(repeating: "x", count: 60)
    let id = flow.experiments[0].id
    flow.experiments[0].title = id
    var report = try DemoReport.ordinary(flow)
    let horizon = try #require(report.provenance.horizonMilliseconds)
    func past(_ days: Int64, _ difference: Double?) -> PastReport {
      let slice = Slice(experiment: id, variant: "short")
      return PastReport(
        horizonMilliseconds: horizon - days * TrendTests.day,
        rows: [
          MetricRow(
            slice: .all, metric: .persons, numerator: 12_345, value: 12_345, unit: .persons),
          MetricRow(
            slice: .all, metric: .completionRate, numerator: 5, denominator: 9, value: 0.5555,
            unit: .rate),
          MetricRow(
            slice: slice, metric: .completionRate.compared(by: .difference), value: difference,
            low: difference.map { $0 - 0.05 }, high: difference.map { $0 + 0.05 }, unit: .points),
        ])
    }
    report.past = [past(9, nil), past(2, -0.031)]
    let text = report.terminalSummary(style: TerminalStyle())
    #expect(!text.contains("\u{1B}"))
    for line in text.split(separator: "\n") { #expect(columns(line) <= 80, "\(line)") }
    let section = try #require(text.components(separatedBy: "LAST REPORTS").last)
      .components(separatedBy: "QUALITY")[0]
    let lines = section.split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    #expect(lines.contains("2026-01-24 12,345 55.6 % – –"))
    #expect(lines.contains("2026-02-02 203 69.5 % 53.2 % 49.8 %"))
    #expect(lines.joined(separator: " ").contains("Interim analyses of experiment lengthxxx"))
    #expect(lines.joined(separator: " ").contains("…, variant short: completion, points"))
    // A report that had nothing to compare is no look.
    #expect(
      lines.suffix(2) == [
        "2026-01-31 −3.1 (−8.1 to +1.9)", "2026-02-02 +10.0 (−5.6 to +25.2)",
      ])
  }

  @Test func `an arm that was looked at once has no looks`() throws {
    let once = try report([(5, 10)])
    #expect(try #require(ReportTrend(once)).looks.isEmpty)
    #expect(once.terminalSummary(style: TerminalStyle()).contains("LAST REPORTS"))
    #expect(!once.terminalSummary(style: TerminalStyle()).contains("Interim analyses"))
  }

  @Test func `without earlier reports there is no section and nothing else changes`() throws {
    let alone = try report([])
    #expect(!alone.terminalSummary(style: TerminalStyle()).contains("LAST REPORTS"))
    #expect(ReportTrend(alone) == nil)
    #expect(!alone.htmlText().contains("id=\"history\""))
    #expect(!alone.markdownText().contains("The last reports"))
    let both = try report([(3, 55)])
    #expect(both.htmlText().contains("id=\"history\""))
    #expect(both.markdownText().contains("55.0 %"))
    let names = ["metrics.json", "metrics.csv", "steps.csv", "experiments.csv"]
    for name in names {
      let texts = [alone, both].map { $0.documents().first { $0.name == name }?.text }
      #expect(texts[0] == texts[1], "\(name)")
    }
  }
}
