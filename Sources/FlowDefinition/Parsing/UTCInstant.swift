internal import Foundation

/// Instants in UTC as flow files write them: `2026-01-31T12:00:00Z`, to the millisecond.
package enum UTCInstant {
  /// `nil` for a text that is none.
  static func milliseconds(_ text: String) -> Int64? {
    guard text.hasSuffix("Z"), CivilDate(String(text.prefix(10))) != nil else { return nil }
    return millisecondsWithOffset(text)
  }

  /// Of an instant with any offset: `2026-01-31T12:00:00+01:00`; `nil` for a text that is none, or
  /// that no calendar or clock has.
  package static func millisecondsWithOffset(_ text: String) -> Int64? {
    let (style, clock) = (Date.ISO8601FormatStyle(), String(text.prefix(19)) + "Z")
    // Foundation takes 30 February for 2 March, hour 25 for the next day's first, and whatever
    // stands behind the offset.
    guard (try? style.parse(clock))?.formatted(style) == clock,
      text.dropFirst(19).wholeMatch(
        of: /(?:\.[0-9]+)?(?:Z|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)/) != nil
    else { return nil }
    let date =
      (try? style.parse(text))
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
