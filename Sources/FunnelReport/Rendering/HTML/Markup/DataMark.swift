/// Where a number on the page comes from: the row of `metrics.json` and the field of it, or the key
/// in its `quality` object, so that programs (and tests) can hold the page against the file.
struct DataMark: Sendable {
  enum Field: String {
    case value, numerator, denominator
    case low = "ci_low"
    case high = "ci_high"
  }
  let attributes: String

  init(_ datum: Datum, _ field: Field) {
    let row = datum.row
    guard let index = datum.index else {
      attributes = ""
      return
    }
    let digits = row.significantDigits
    let value =
      switch field {
      case .value: row.value.flatMap { NumberText.format($0, digits: digits) }
      case .numerator: row.numerator.map(String.init)
      case .denominator: row.denominator.map(String.init)
      case .low: row.low.flatMap { NumberText.format($0, digits: digits) }
      case .high: row.high.flatMap { NumberText.format($0, digits: digits) }
      }
    let metric = Markup.escaped(row.metric)
    attributes =
      " data-metric=\"\(metric)\" data-row=\"\(index)\" data-field=\"\(field.rawValue)\""
      + " data-value=\"\(value ?? "")\""
  }

  /// A count of the `quality` object.
  init(quality count: Int, _ key: String) {
    attributes = " data-quality=\"\(Markup.escaped(key))\" data-value=\"\(count)\""
  }
}
