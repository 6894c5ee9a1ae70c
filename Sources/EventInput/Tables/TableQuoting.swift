/// How the values of a table are written where they hold what separates values.
enum TableQuoting: Equatable {
  /// In quotes, a quote inside of them twice (RFC 4180).
  case doubled
  /// In quotes, a backslash before each quote inside of them, as Spark writes them.
  case backslash
  /// As they are: quotes are text.
  case none
  /// Without quotes, a backslash before what separates values, as Redshift's `ESCAPE` does.
  case escaped

  var hasQuotes: Bool { self == .doubled || self == .backslash }
  var hasBackslashes: Bool { self == .backslash || self == .escaped }

  /// Whether a quote stands behind a backslash, as none does in most tables.
  static func hasBackslashes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe zip(bytes, bytes.dropFirst()).contains {
      $0 == UInt8(ascii: "\\") && $1 == UInt8(ascii: "\"")
    }
  }
}
