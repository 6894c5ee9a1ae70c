internal import FlowDefinition
package import ReportText

/// The rows of `metrics.json` and of baselines, one a line. There are thousands: what the rows of
/// one slice begin with is written once and then copied.
package struct MetricRowsJSON {
  private let indent: String
  private let blank: String
  private let isCompact: Bool

  /// - Parameter isCompact: without any blanks, nor the unit of a rate, for files that no person
  ///   reads.
  package init(indent: String, isCompact: Bool = false) {
    self.isCompact = isCompact
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
    for (name, value) in [
      ("version", slice.version), ("experiment", slice.experiment), ("variant", slice.variant),
      ("cohort", slice.cohort), ("breakdown", slice.breakdownText),
    ] where value != "all" {
      key(name, to: &text)
      JSONText.write(string: value, to: &text)
      separate(&text)
    }
    return text
  }

  private func append(_ row: MetricRow, to text: inout TextBytes) {
    key("metric", to: &text)
    JSONText.write(string: row.metric.rawValue, to: &text)
    if row.step != "all" {
      next("step", to: &text)
      JSONText.write(string: row.step, to: &text)
    }
    count("numerator", row.numerator, to: &text)
    count("denominator", row.denominator, to: &text)
    // The value of a count is the count.
    let digits = row.significantDigits
    if row.unit != .persons { number("value", row.value, digits, to: &text) }
    number("ci_low", row.low, digits, to: &text)
    number("ci_high", row.high, digits, to: &text)
    // Most rows of a report are rates. Baselines say so: earlier versions read them, too.
    if !isCompact || row.unit != .rate {
      next("unit", to: &text)
      JSONText.write(string: row.unit.rawValue, to: &text)
    }
    text.add("}")
  }

  private func key(_ name: String, to text: inout TextBytes) {
    text.add("\"")
    text.add(name)
    text.add("\":")
    text.add(blank)
  }

  private func separate(_ text: inout TextBytes) {
    text.add(",")
    text.add(blank)
  }

  /// The name of a member that others stand before.
  private func next(_ name: String, to text: inout TextBytes) {
    separate(&text)
    key(name, to: &text)
  }

  private func count(_ name: String, _ count: Int?, to text: inout TextBytes) {
    guard let count else { return }
    next(name, to: &text)
    text.add(count)
  }

  private func number(
    _ name: String, _ number: Double?, _ digits: Int, to text: inout TextBytes
  ) {
    guard let number else { return }
    next(name, to: &text)
    if number.isFinite {
      NumberText.write(number, digits: digits, to: &text)
    } else {
      text.add("null")
    }
  }
}
