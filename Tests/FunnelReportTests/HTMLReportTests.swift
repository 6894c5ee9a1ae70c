@testable import FlowDefinition
import Foundation
@testable import FunnelEngine
@testable import FunnelMetrics
@testable import FunnelReport
@testable import ReportFindings
@testable import ReportText
import Testing

@Suite("The page for people")
struct HTMLReportTests {
  @Test func `every template can be read and is filled`() {
    for name in PageTemplates.Name.allCases {
      let text = PageTemplates.fill(name, TemplateContext { _ in }).text
      #expect(text.count > 100, "\(name)")
      #expect(!text.contains("{{"), "\(name)")
    }
    #expect(PageTemplates.styleSheet.contains("prefers-color-scheme: dark"))
    #expect(PageTemplates.styleSheet.contains("@media print"))
  }

  @Test func `the page allows its own script and no other`() throws {
    let digits = Array(SHA256Digest.hexadecimal(PageTemplates.script))
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
    let hash = "sha256-" + Data(bytes).base64EncodedString()
    #expect(PageTemplates.scriptHash == hash)
    let page = try DemoReport.ordinary().htmlText()
    #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'; script-src '\(hash)'"))
    #expect(page.contains("<script>\(PageTemplates.script)</script>"))
    #expect(!PageTemplates.script.contains("</"))
  }

  @Test func `text is escaped by scalars`() {
    #expect(Markup(escaping: "a<b>&\"'").text == "a&lt;b&gt;&amp;&quot;&#39;")
    // A mark on the bracket makes one character of both; a browser still sees the bracket.
    #expect(!Markup(escaping: "<\u{301}script").text.contains("<"))
    #expect(!Markup(escaping: "\"\u{301} onload=").text.contains("\""))
    #expect(Markup(escaping: "a\u{0}b\u{8}c\u{7F}d").text == "a b c d")
  }

  @Test func `a name is text wherever it stands`() throws {
    var flow = try DemoFlow.flow()
    flow.title = "<b>\"Demo\"</b>"
    flow.steps[0].title = "{{title}}<script>"
    flow.experiments[0].title = "<img src=x>{{name}}"
    flow.experiments[0].variants[1].title = "<script>{{variants}}</script>"
    let demo = try DemoTally(flow)
    let report = Report(
      Analysis(of: demo.tally, flow), provenance: DemoReport.provenance())
    let page = report.htmlText()
    #expect(page.contains("&lt;b&gt;&quot;Demo&quot;&lt;/b&gt;"))
    #expect(page.contains("{{title}}&lt;script&gt;"))
    #expect(page.matches(of: /<script/).count == 1)
    #expect(!page.contains("<b>\"Demo"))
  }

  /// A list that nobody has yet lacks none of its steps.
  @Test func `a slice of nobody is not said to lack its steps`() throws {
    let flow = try DemoFlow.flow()
    var demo = try DemoTally(flow)
    demo.add(
      .init(count: 5, variant: .assigned("long"), outcome: .finished, viewed: [0, 1, 2, 3]))
    demo.add(.init(count: 4, variant: .assigned("short"), outcome: .open, viewed: []))
    let page = Report(Analysis(of: demo.tally, flow), provenance: DemoReport.provenance())
      .htmlText()
    #expect(!page.contains("not in this "))
    #expect(page.contains("nobody counts here yet"))
  }

  @Test(arguments: ["ordinary", "tiny", "empty"])
  func `numbers say which row they are`(_ name: String) throws {
    let report =
      try name == "ordinary"
      ? DemoReport.ordinary() : name == "tiny" ? DemoReport.tiny() : DemoReport.empty()
    let page = report.htmlText()
    let marks = page.matches(of: /data-row=(\d+)([vndlh]+)>([^<]*)</)
    if name != "empty" { #expect(marks.count > 50) }
    for mark in marks {
      let row = try #require(Int(mark.1).map { report.analysis.recordedRows[$0] })
      // Several numbers of one row in a cell: 12/34, 5.1–9.3, +1.2 to +3.4.
      let texts = mark.2.count > 1 ? mark.3.split(separator: #/[/–]| to /#) : [mark.3]
      #expect(texts.count == mark.2.count, "\(mark.0)")
      for (letter, text) in zip(mark.2, texts) {
        #expect(try isShown(letter, of: row, as: text), "\(row.metric): \(mark.0)")
      }
    }
  }

  /// Whether a text shows a row's value, numerator, denominator or bound.
  private func isShown(_ field: Character, of row: MetricRow, as text: Substring) throws -> Bool {
    let count = String(text).replacing("\u{202F}", with: "")
    return switch field {
    case "n": try #require(row.numerator.map(String.init)) == count
    case "d": try #require(row.denominator.map(String.init)) == count
    case "l": isShown(try #require(row.low), as: text)
    case "h": isShown(try #require(row.high), as: text)
    default: isShown(try #require(row.value), as: text)
    }
  }

  /// Whether a number is shown rounded, as it is or as a percentage, or as a time.
  private func isShown(_ value: Double, as text: Substring) -> Bool {
    let text = String(text).replacing("\u{202F}", with: "").replacing("\u{A0}", with: " ")
      .replacing("−", with: "-")
    let parts = text.matches(of: /([\d.]+) (min|s|h|d)\b/)
    if let last = parts.last {
      let units = ["s": 1.0, "min": 60, "h": 3600, "d": 86_400]
      let sum = parts.reduce(0) { $0 + (Double($1.1) ?? .nan) * (units[String($1.2)] ?? .nan) }
      let step = last.1.contains(".") ? 0.1 : 1
      return abs(abs(value) - sum) <= step * (units[String(last.2)] ?? .nan)
    }
    guard let number = text.firstMatch(of: /[-+]?\d+(\.(\d+))?/) else { return false }
    guard let shown = Double(number.0) else { return false }
    if text.hasPrefix("&lt;") { return value < shown }
    if text.hasPrefix("&gt;") { return value > shown }
    let slack = number.2.map { 0.51 * pow(10, -Double($0.count)) } ?? 0.5
    return abs(shown - value) <= slack || abs(shown - value * 100) <= slack
  }

  @Test func `the same report makes the same page`() throws {
    #expect(try DemoReport.ordinary().htmlText() == DemoReport.ordinary().htmlText())
  }

  @Test func `many variants stay within bounds`() throws {
    let page = try DemoReport.variants(40).htmlText()
    #expect(page.utf8.count < 1_000_000)
    #expect(page.contains("more are in steps.csv"))
  }

  @Test func `sentences keep numbers with their units`() {
    #expect(
      DisplayText.sentence("1,234 of 12,400,000 are 5 % in 30 s, a share")
        == "1\u{202F}234 of 12\u{202F}400\u{202F}000 are 5\u{A0}% in 30\u{A0}s, a share")
    #expect(DisplayText.sentence("A,123 and 1,23") == "A,123 and 1,23")
  }

  @Test func `the grade is that of the worst check`() throws {
    let ordinary = ReportGrade(try DemoReport.ordinary())
    #expect(ordinary.letter == .d)
    #expect(ordinary.reasons.first?.text.contains("inputs could not be read") == true)
    let tiny = ReportGrade(try DemoReport.tiny())
    #expect(tiny.reasons.map(\.letter) == tiny.reasons.map(\.letter).sorted(by: >))
  }

  @Test func `few who left say nothing about where`() throws {
    let finding = try #require(try DemoReport.tiny().findings.first { $0.kind == .dropOff })
    #expect(finding.text.contains("too few to say where"))
    #expect(finding.tone == .neutral)
  }

  @Test func `Markdown takes names for text`() {
    #expect(MarkdownText.plain("a|b*c<d>[e](f)") == "a\\|b\\*c&lt;d>\\[e\\](f)")
    #expect(MarkdownText.plain("priming_order _x_") == "priming_order \\_x\\_")
    #expect(MarkdownText.plain("p < 0.0001") == "p < 0.0001")
    #expect(MarkdownText.plain("a & b &lt;") == "a &amp; b &amp;lt;")
  }
}
