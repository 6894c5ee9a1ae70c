internal import FlowDefinition
package import ReportText

/// The rows of `metrics.json` and of baselines, one a line. There are thousands: what the rows of
/// one slice begin with is written once and then copied.
package struct MetricRowsJSON {
  private let indent: String
  private let blank: String

  /// - Parameter isCompact: without any blanks, for files that no person reads.
  package init(indent: String, isCompact: Bool = false) {
    self.indent = isCompact ? "" : indent + "  "
    blank = isCompact ? "" : " "
  }

  package func text(_ rows: [MetricRow]) -> String {
    var text = TextBytes()
    write(rows, to: &text)
    return text.text
  }

  package func write(_ rows: [MetricRow], to text: inout TextBytes) {
    if rows.isEmpty { return text.add("[]") }
    text.reserve(rows.count * 256)
    text.add("[")
    var slice = Slice.all
    var beginning = self.beginning(slice)
    for (index, row) in rows.enumerated() {
      if row.slice != slice {
        slice = row.slice
        beginning = self.beginning(slice)
      }
      text.add(index == 0 ? "\n" : ",\n")
      text.add(beginning)
      append(row, to: &text)
    }
    text.add("\n")
    text.add(String(indent.dropLast(2)))
    text.add("]")
  }

  /// A row says only what it has: a column that would read `all`, or be empty, is left out.
  private func beginning(_ slice: Slice) -> TextBytes {
    var text = TextBytes()
    text.add(indent)
    text.add("{")
    name("version", slice.version, to: &text)
    name("experiment", slice.experiment, to: &text)
    name("variant", slice.variant, to: &text)
    name("cohort", slice.cohort, to: &text)
    name("breakdown", slice.breakdownText, to: &text)
    return text
  }

  private func append(_ row: MetricRow, to text: inout TextBytes) {
    name("metric", row.metric, to: &text)
    name("step", row.step, to: &text)
    count("numerator", row.numerator, to: &text)
    count("denominator", row.denominator, to: &text)
    // The value of a count is the count.
    let digits = row.significantDigits
    if row.unit != .persons { number("value", row.value, digits, to: &text) }
    number("ci_low", row.low, digits, to: &text)
    number("ci_high", row.high, digits, to: &text)
    key("unit", to: &text)
    text.add("\"")
    text.add(row.unit.rawValue)
    text.add("\"}")
  }

  private func key(_ name: String, to text: inout TextBytes) {
    text.add("\"")
    text.add(name)
    text.add("\":")
    text.add(blank)
  }

  private func next(_ text: inout TextBytes) {
    text.add(",")
    text.add(blank)
  }

  /// A name, unless it says nothing.
  private func name(_ key: String, _ name: String, to text: inout TextBytes) {
    if name == "all" { return }
    self.key(key, to: &text)
    JSONText.write(string: name, to: &text)
    next(&text)
  }

  private func count(_ key: String, _ count: Int?, to text: inout TextBytes) {
    guard let count else { return }
    self.key(key, to: &text)
    text.add(count)
    next(&text)
  }

  private func number(
    _ key: String, _ number: Double?, _ digits: Int, to text: inout TextBytes
  ) {
    guard let number else { return }
    self.key(key, to: &text)
    if number.isFinite {
      NumberText.write(number, digits: digits, to: &text)
    } else {
      text.add("null")
    }
    next(&text)
  }
}
