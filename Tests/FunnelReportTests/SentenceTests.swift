import FlowDefinition
@testable import FunnelMetrics
@testable import FunnelReport
@testable import ReportFindings
import Testing

@Suite("Sentences with numbers")
struct SentenceTests {
  private let datum = Datum(
    index: 7,
    row: MetricRow(
      slice: .all, metric: .completionRate, numerator: 1200, denominator: 2400, value: 0.5,
      low: 0.48, high: 0.52, unit: .rate))

  @Test func `the text is that of its parts`() {
    let sentence: Sentence = "Finished: \(datum.saidFully). And \("so") on."
    #expect(
      sentence.text == "Finished: 50.0 % (1,200/2,400), 95 % CI 48.0–52.0 %. And so on.")
    #expect("\(sentence)" == sentence.text)
  }

  @Test func `the page marks each number with its row and member`() {
    let page = Markup { $0.sentence("Of <all>: \(datum.saidFully)" as Sentence) }.text
    let fields = page.matches(of: /data-row=7([a-z])>/).map { String($0.1) }
    #expect(fields == ["v", "n", "d", "l", "h"])
    #expect(page.contains("Of &lt;all&gt;: <span"))
    // A number, its thousands and its unit stay together across the marks.
    #expect(page.contains(">1\u{202F}200</span>/"))
    #expect(page.contains("52.0</span>\u{A0}%"))
  }

  @Test func `two numbers of one row have one mark`() {
    let table = DataTable(
      caption: "", columns: [.words("a"), .number("b"), .number("c")],
      rows: [[.text("x"), .pair(datum.count, "/", datum.total), .number(datum.rate)]])
    #expect(table.markup.text.contains("<td data-row=7nd>1\u{202F}200/2\u{202F}400<td"))
    #expect(table.markup.text.contains("<td data-row=7v>50.0\u{A0}%<"))
    let other = Datum(index: 8, row: datum.row)
    let two = DataTable(
      caption: "", columns: [.words("a"), .number("b")],
      rows: [[.text("x"), .pair(datum.count, "/", other.total)]])
    #expect(two.markup.text.contains("data-row=7n>") && two.markup.text.contains("data-row=8d>"))
  }

  @Test func `an escape code in a name takes no number with it`() {
    let sentence: Sentence = "At \u{1B}]0;\(datum.saidCount) more."
    let shown = DisplaySentence(sentence).parts.map(\.text).joined()
    #expect(shown.contains("1\u{202F}200 more."))
  }
}
