import FunnelReport
import ReportText
import Testing

@Suite("Documents and summary against the files on record")
struct GoldenTests {
  static let names = [
    "README.txt", "report.html", "report.md", "overview.csv", "changes.csv", "steps.csv",
    "next_events.csv", "transitions.csv", "skips.csv", "permissions.csv", "goals.csv",
    "retention.csv", "timing.csv",
    "experiments.csv", "quality.csv", "metrics.csv", "metrics.json",
  ]

  @Test(arguments: names)
  func document(_ name: String) throws {
    let isLong = name.hasPrefix("metrics")
    let documents = try (isLong ? DemoReport.tiny() : DemoReport.ordinary()).documents()
    let document = try #require(documents.first { $0.name == name })
    try GoldenFile.expect(document.text, matches: name)
  }

  @Test func `the documents are those of the table, in its order`() throws {
    #expect(try DemoReport.ordinary().documents().map(\.name) == GoldenTests.names)
  }

  @Test func summary() throws {
    let text = try DemoReport.ordinary().terminalSummary(style: TerminalStyle())
    try GoldenFile.expect(text, matches: "summary.txt")
  }

  @Test func `summary in colour`() throws {
    let text = try DemoReport.ordinary().terminalSummary(style: TerminalStyle(color: true))
    try GoldenFile.expect(text, matches: "summary-colour.txt")
  }

  @Test func screen() throws {
    let text = try DemoReport.ordinary().terminalScreen(style: TerminalStyle())
    try GoldenFile.expect(text, matches: "screen.txt")
  }

  @Test func `summary of nothing`() throws {
    let text = try DemoReport.empty().terminalSummary(style: TerminalStyle())
    try GoldenFile.expect(text, matches: "summary-empty.txt")
  }
}
