import FunnelReport
import ReportFindings
import ReportText
import Testing

@Suite("The summary on a terminal")
struct SummaryTests {
  @Test(arguments: 1...4)
  func `fits in 80 columns with any number of variants`(_ variants: Int) throws {
    let text = try DemoReport.variants(variants).terminalSummary(style: TerminalStyle())
    for line in text.split(separator: "\n") { #expect(columns(line) <= 80, "\(line)") }
    #expect(text.contains("variant_\(variants)"))
    #expect(text.contains("not shown here") == (variants > 1))
  }

  @Test(arguments: [0, 60, 100, 132])
  func `fits in other widths, 80 at least`(_ width: Int) throws {
    let text = try DemoReport.ordinary().terminalSummary(style: TerminalStyle(width: width))
    for line in text.split(separator: "\n") {
      #expect(columns(line) <= max(80, width), "\(line)")
    }
  }

  @Test(arguments: [80, 100, 132])
  func `the short form fits one screen`(_ width: Int) throws {
    for report in try [DemoReport.ordinary(), DemoReport.variants(4), DemoReport.empty()] {
      let lines = report.terminalScreen(style: TerminalStyle(width: width)).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 45, "\(lines.joined(separator: "\n"))")
      for line in lines { #expect(columns(line) <= width, "\(line)") }
    }
  }

  @Test func `the short form has outcomes, funnel, findings and verdicts`() throws {
    let report = try DemoReport.ordinary()
    let text = report.terminalScreen(style: TerminalStyle())
    for heading in ["finished", "FUNNEL", "FINDINGS", "EXPERIMENTS", "--full"] {
      #expect(text.contains(heading), "\(heading)")
    }
    #expect(!text.contains("SETTINGS"))
    // Titles, not ids: the demo's steps have both.
    #expect(text.contains("Your plan"))
    let wide = report.terminalScreen(style: TerminalStyle(width: 120))
    let bars = [text, wide].map {
      $0.split(separator: "\n").map { $0.count { $0 == "█" } }.max() ?? 0
    }
    #expect(bars[1] > bars[0] + 30, "the bars use the width: \(bars)")
  }

  @Test func `colour adds codes and changes no character`() throws {
    let report = try DemoReport.ordinary()
    let plain = report.terminalSummary(style: TerminalStyle())
    let colored = report.terminalSummary(style: TerminalStyle(color: true))
    #expect(!plain.contains("\u{1B}"))
    #expect(colored.contains("\u{1B}[32m"))
    let codes = ["0", "1", "2", "31", "32", "33", "36"]
    let stripped = codes.reduce(colored) { text, code in
      text.split(separator: "\u{1B}[\(code)m", omittingEmptySubsequences: false).joined()
    }
    func trimmed(_ text: String) -> [String] {
      text.split(separator: "\n").map { line in
        String(line.reversed().drop { $0 == " " }.reversed())
      }
    }
    #expect(trimmed(stripped) == trimmed(plain))
  }

  @Test func `nobody is nothing but zeros`() throws {
    let report = try DemoReport.empty()
    let text = report.terminalSummary(style: TerminalStyle())
    #expect(text.contains("0 people started."))
    #expect(text.contains("No event was read"))
    #expect(!text.contains("nan"))
    #expect(report.findings.map(\.kind) == [.noEvents])
  }
}

/// Columns as a plain terminal counts them, for the names in these tests.
func columns(_ line: some StringProtocol) -> Int {
  line.reduce(0) { sum, character in
    let first = character.unicodeScalars.first?.value ?? 0
    return sum + ((0x1F300...0x1FAFF).contains(first) || (0xFF00...0xFF60).contains(first) ? 2 : 1)
  }
}
