import FlowDefinition
import Testing

@testable import FunnelReport

@Suite("The last reports")
struct TrendTests {
  private static let day: Int64 = 86_400_000

  private func past(_ horizon: Int64, finished: Int) -> PastReport {
    PastReport(
      horizonMilliseconds: horizon,
      rows: [
        MetricRow(
          slice: .all, metric: "completion_rate", numerator: finished, denominator: 100,
          value: Double(finished) / 100, unit: .rate),
        MetricRow(
          slice: .all, metric: "persons", numerator: 100, value: 100, unit: .persons),
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
    let counts = trend.runs.map { trend.row($0, "completion_rate")?.numerator }
    #expect(counts.dropLast() == [30, 20])
    #expect(counts.last == report.analysis.row("completion_rate")?.numerator)
    #expect(trend.runs.last?.past == nil)
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

  @Test func `without earlier reports there is no section and nothing else changes`() throws {
    let alone = try report([])
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
