internal import ReportText
internal import ReportFindings

/// Writes HTML and SVG elements; texts and attribute values are escaped, names of elements and
/// attributes are the program's own.
struct MarkupWriter {
  typealias Attributes = KeyValuePairs<String, String?>
  private(set) var markup = ""

  /// An element around what `body` writes. An attribute without a value is left out.
  mutating func element(
    _ name: StaticString, _ attributes: Attributes = [:], mark: DataMark? = nil,
    _ body: (inout MarkupWriter) -> Void
  ) {
    open(name, attributes, mark)
    markup += ">"
    body(&self)
    close(name)
  }

  mutating func element(
    _ name: StaticString, _ attributes: Attributes = [:], text: String, mark: DataMark? = nil
  ) {
    open(name, attributes, mark)
    markup += ">"
    markup += Markup.escaped(text)
    close(name)
  }

  /// A row or cell of a table, whose end tags HTML leaves to the tag that follows: a page has
  /// thousands of them.
  mutating func cell(
    _ name: StaticString, _ attributes: Attributes = [:], mark: DataMark? = nil,
    _ body: (inout MarkupWriter) -> Void
  ) {
    open(name, attributes, mark)
    markup += ">"
    body(&self)
  }

  /// An element without content, in the form that SVG has.
  mutating func empty(_ name: StaticString, _ attributes: Attributes) {
    open(name, attributes, nil)
    markup += "/>"
  }

  mutating func text(_ raw: String) { markup += Markup.escaped(raw) }

  mutating func add(_ other: Markup) { markup += other.text }

  /// A name from events: made fit for screens, kept apart from the direction of the text around.
  mutating func name(_ raw: String, limit: Int = 90) {
    element("bdi", text: SafeText.name(raw, limit: limit))
  }

  /// A number, marked with where it comes from.
  mutating func number(_ shown: Shown?) {
    guard let shown else {
      markup += "–"
      return
    }
    guard let mark = shown.mark else { return text(shown.text) }
    element("span", text: shown.text, mark: mark)
  }

  /// A number as all that an element holds.
  mutating func number(_ shown: Shown?, in name: StaticString, _ attributes: Attributes = [:]) {
    element(name, attributes, text: shown?.text ?? "–", mark: shown?.mark)
  }

  /// Two numbers of one row with something between them, under one mark.
  mutating func pair(_ first: Shown?, _ between: String, _ second: Shown?) {
    guard let first, let second, let mark = DataMark.pair(first.mark, second.mark) else {
      number(first)
      text(between)
      return number(second)
    }
    element("span", text: first.text + between + second.text, mark: mark)
  }

  /// Words and marked numbers, with the page's own spaces.
  mutating func sentence(_ sentence: DisplaySentence) {
    for part in sentence.parts { number(part) }
  }

  mutating func sentence(_ sentence: Sentence) { self.sentence(DisplaySentence(sentence)) }

  /// A number in bold.
  mutating func strong(_ shown: Shown?) {
    element("b") { $0.number(shown) }
  }

  private mutating func open(
    _ name: StaticString, _ attributes: Attributes, _ mark: DataMark?
  ) {
    markup += "<\(name)"
    for (key, value) in attributes {
      guard let value else { continue }
      markup += " \(key)=\"\(Markup.escaped(value))\""
    }
    if let mark { markup += mark.attributes }
  }

  private mutating func close(_ name: StaticString) { markup += "</\(name)>" }
}

extension Markup {
  /// What `body` writes.
  init(_ body: (inout MarkupWriter) -> Void) {
    var writer = MarkupWriter()
    body(&writer)
    self.init(writer)
  }
}
