internal import FlowDefinition

/// The rows of `metrics.json`, one a line. There are tens of thousands: what the rows of one slice
/// begin with is written once and then copied.
enum MetricRowsJSON {
  static func text(_ rows: [MetricRow], indent: String) -> String {
    var text = TextBytes()
    write(rows, indent: indent, to: &text)
    return text.text
  }

  static func write(_ rows: [MetricRow], indent: String, to text: inout TextBytes) {
    if rows.isEmpty { return text.add("[]") }
    text.reserve(rows.count * 256)
    text.add("[")
    var slice = Slice.all
    var beginning = self.beginning(slice, indent)
    for (index, row) in rows.enumerated() {
      if row.slice != slice {
        slice = row.slice
        beginning = self.beginning(slice, indent)
      }
      text.add(index == 0 ? "\n" : ",\n")
      text.add(beginning)
      append(row, to: &text)
    }
    text.add("\n")
    text.add(indent)
    text.add("]")
  }

  /// A row says only what it has: a column that would read `all`, or be empty, is left out.
  private static func beginning(_ slice: Slice, _ indent: String) -> TextBytes {
    var text = TextBytes()
    text.add(indent)
    text.add("  {")
    name("\"version\": ", slice.version, to: &text)
    name("\"experiment\": ", slice.experiment, to: &text)
    name("\"variant\": ", slice.variant, to: &text)
    name("\"cohort\": ", slice.cohort, to: &text)
    name("\"breakdown\": ", slice.breakdownText, to: &text)
    return text
  }

  private static func append(_ row: MetricRow, to text: inout TextBytes) {
    name("\"metric\": ", row.metric, to: &text)
    name("\"step\": ", row.step, to: &text)
    count("\"numerator\": ", row.numerator, to: &text)
    count("\"denominator\": ", row.denominator, to: &text)
    // The value of a count is the count.
    let digits = row.significantDigits
    if row.unit != .persons { number("\"value\": ", row.value, digits, to: &text) }
    number("\"ci_low\": ", row.low, digits, to: &text)
    number("\"ci_high\": ", row.high, digits, to: &text)
    text.add("\"unit\": \"")
    text.add(row.unit.rawValue)
    text.add("\"}")
  }

  /// A name, unless it says nothing.
  private static func name(_ key: String, _ name: String, to text: inout TextBytes) {
    if name == "all" { return }
    text.add(key)
    JSONText.write(string: name, to: &text)
    text.add(", ")
  }

  private static func count(_ key: String, _ count: Int?, to text: inout TextBytes) {
    guard let count else { return }
    text.add(key)
    text.add(count)
    text.add(", ")
  }

  private static func number(
    _ key: String, _ number: Double?, _ digits: Int, to text: inout TextBytes
  ) {
    guard let number else { return }
    text.add(key)
    if number.isFinite {
      NumberText.write(number, digits: digits, to: &text)
    } else {
      text.add("null")
    }
    text.add(", ")
  }
}
