internal import FunnelMetrics

/// Where a number on the page comes from: the row of `metrics.json` and the field of it, or the key
/// in its `quality` object, so that programs (and tests) can hold the page against the file.
struct DataMark: Sendable {
  private enum Origin: Equatable {
    case row(Int, letters: String)
    case quality(Int, key: String)
    /// Of a row that stands in no file.
    case none
  }
  private let origin: Origin

  init(_ datum: Datum, _ field: Datum.Field) {
    origin = datum.index.map { .row($0, letters: field.letter) } ?? .none
  }

  /// A count of the `quality` object.
  init(quality count: Int, _ key: String) {
    origin = .quality(count, key: key)
  }

  private init(_ origin: Origin) { self.origin = origin }

  /// One mark of two numbers of one row, such as a count and its total; `nil` of two rows.
  static func pair(_ first: DataMark?, _ second: DataMark?) -> DataMark? {
    guard case .row(let row, let letters)? = first?.origin,
      case .row(let other, let more)? = second?.origin, row == other
    else { return nil }
    return DataMark(.row(row, letters: letters + more))
  }

  var attributes: String {
    switch origin {
    // HTML needs no quotation marks around letters and digits, and a page has thousands of these.
    case .row(let row, let letters): " data-row=\(row)\(letters)"
    case .quality(let count, let key):
      " data-quality=\"\(Markup.escaped(key))\" data-value=\"\(count)\""
    case .none: ""
    }
  }
}

extension Datum.Field {
  /// How the page names it, behind the row's number: a page has thousands of marks.
  fileprivate var letter: String {
    switch self {
    case .value: "v"
    case .numerator: "n"
    case .denominator: "d"
    case .low: "l"
    case .high: "h"
    }
  }
}
