internal import Foundation

/// Instants in UTC as flow files write them: `2026-01-31T12:00:00Z`, to the millisecond.
package enum UTCInstant {
  /// `nil` for a text that is none.
  static func milliseconds(_ text: String) -> Int64? {
    guard text.hasSuffix("Z"), CivilDate(String(text.prefix(10))) != nil else { return nil }
    let date =
      (try? Date.ISO8601FormatStyle().parse(text))
      ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
    return date.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
  }

  package static func text(_ milliseconds: Int64) -> String {
    // The format cuts what is under a millisecond off, and few milliseconds are exact fractions.
    let date = Date(timeIntervalSince1970: (Double(milliseconds) + 0.25) / 1000)
    return date.formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: milliseconds % 1000 != 0))
  }
}
