internal import Foundation

/// Instants in UTC as flow files write them: `2026-01-31T12:00:00Z`, to the millisecond.
package enum UTCInstant {
  /// `nil` for a text that is none.
  static func milliseconds(_ text: String) -> Int64? {
    guard text.hasSuffix("Z"), exists(text), CivilDate(String(text.prefix(10))) != nil else {
      return nil
    }
    let date =
      (try? Date.ISO8601FormatStyle().parse(text))
      ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
    return date.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
  }

  /// Whether a text is an instant of a calendar and a clock: Foundation's format takes 30 February
  /// for 2 March, hour 25 for the next day's first, and whatever stands behind the Z.
  package static func exists(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    func number(_ places: Range<Int>) -> Int? {
      guard places.upperBound <= bytes.count else { return nil }
      let digits = bytes[places].map { Int($0) - 48 }
      guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
      return digits.reduce(0) { $0 * 10 + $1 }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      (1...12).contains(month), (1...CivilDate.days(of: month, in: year)).contains(day),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      hour < 24, minute < 60, second < 60
    else { return false }
    let signs = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
    guard signs.allSatisfy({ bytes[$0.0] == $0.1.utf8.first }) else { return false }
    var rest = bytes[19...]
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix { (48...57).contains($0) }
      if fraction.isEmpty { return false }
      rest = rest.dropFirst(1 + fraction.count)
    }
    if rest.elementsEqual("Z".utf8) { return true }
    guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return false
    }
    let offset = rest.dropFirst().filter { $0 != UInt8(ascii: ":") }
    return (offset.count == 2 || offset.count == 4)
      && offset.allSatisfy { (48...57).contains($0) }
      && Int(offset[0] - 48) * 10 + Int(offset[1] - 48) < 24
  }

  package static func text(_ milliseconds: Int64) -> String {
    // The format cuts what is under a millisecond off, and few milliseconds are exact fractions.
    let date = Date(timeIntervalSince1970: (Double(milliseconds) + 0.25) / 1000)
    return date.formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: milliseconds % 1000 != 0))
  }
}
