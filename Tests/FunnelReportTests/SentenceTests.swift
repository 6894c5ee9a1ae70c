import FlowDefinition
import Testing

@testable import FunnelReport

@Suite("Sentences with numbers")
struct SentenceTests {
  private let datum = Datum(
    index: 7,
    row: MetricRow(
      slice: .all, metric: "completion_rate", numerator: 1200, denominator: 2400, value: 0.5,
      low: 0.48, high: 0.52, unit: .rate))

  @Test func `the text is that of its parts`() {
    let sentence: Sentence = "Finished: \(datum.saidFully). And \("so") on."
    #expect(
      sentence.text == "Finished: 50.0 % (1,200/2,400), 95 % CI 48.0–52.0 %. And so on.")
    #expect("\(sentence)" == sentence.text)
  }

  @Test func `the page marks each number with its row and member`() {
    let page = Markup { $0.sentence("Of <all>: \(datum.saidFully)" as Sentence) }.text
    let fields = page.matches(of: /data-row="7" data-field="(\w+)"/).map { String($0.1) }
    #expect(fields == ["value", "numerator", "denominator", "ci_low", "ci_high"])
    #expect(page.contains("Of &lt;all&gt;: <span"))
    // A number, its thousands and its unit stay together across the marks.
    #expect(page.contains(">1\u{202F}200</span>/"))
    #expect(page.contains("52.0</span>\u{A0}%"))
  }

  @Test func `the first sentence ends where words say so`() {
    let both = DisplaySentence("\(datum.saidRate). Then \(datum.saidCount)." as Sentence)
    let (first, rest) = both.firstAndRest
    #expect(first.parts.map(\.text).joined() == "50.0\u{A0}%.")
    #expect(rest?.parts.map(\.text).joined() == "Then 1\u{202F}200.")
    let alone = DisplaySentence("Only \(datum.saidRate)" as Sentence).firstAndRest
    #expect(alone.1 == nil)
  }

  @Test func `an escape code in a name takes no number with it`() {
    let sentence: Sentence = "At \u{1B}]0;\(datum.saidCount) more."
    let shown = DisplaySentence(sentence).parts.map(\.text).joined()
    #expect(shown.contains("1\u{202F}200 more."))
  }
}
