/// A date that ends with its year, and what stands behind it: `11/24/2026 10:15:00 PM`,
/// `24.11.2026 22:15`, `1/2/2026, 10:15`. Which number is the month, it doesn't say by itself.
@safe struct YearLastDate {
  private let first: [UInt8]
  private let second: [UInt8]
  private let year: [UInt8]
  private let rest: [UInt8]

  var isDateAlone: Bool { rest.isEmpty }

  /// `nil` for anything else.
  init?(_ text: UnsafeRawBufferPointer) {
    guard 8...64 ~= text.count else { return nil }
    var bytes = unsafe Array(text)[...]
    guard let first = Self.number(&bytes, 1...2), let mark = bytes.first, Self.isMark(mark),
      let second = Self.number(&bytes, 1...2, behind: mark),
      let year = Self.number(&bytes, 4...4, behind: mark)
    else { return nil }
    // JavaScript has a comma before the time.
    if bytes.first == UInt8(ascii: ",") { bytes = bytes.dropFirst() }
    guard bytes.isEmpty || bytes.first == UInt8(ascii: " ") || bytes.first == UInt8(ascii: "T")
    else { return nil }
    (self.first, self.second, self.year, rest) = (first, second, year, Array(bytes))
  }

  static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }

  /// Which number must be the month, because no month has so high a one; `nil` where both may be.
  var order: DayOrder? {
    switch (Self.isMonth(first), Self.isMonth(second)) {
    case (true, false): .monthFirst
    case (false, true): .dayFirst
    default: nil
    }
  }

  /// With the year first, as `LooseDate` has it.
  func text(_ order: DayOrder) -> [UInt8] {
    let (month, day) = order == .monthFirst ? (first, second) : (second, first)
    let mark = [UInt8(ascii: "-")]
    return year + mark + month + mark + day + rest
  }

  private static func isMonth(_ digits: [UInt8]) -> Bool {
    1...12 ~= digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Takes as many digits as may stand there, and the mark before them.
  private static func number(
    _ bytes: inout ArraySlice<UInt8>, _ count: ClosedRange<Int>, behind mark: UInt8? = nil
  ) -> [UInt8]? {
    if let mark {
      guard bytes.first == mark else { return nil }
      bytes = bytes.dropFirst()
    }
    let digits = bytes.prefix { $0 &- UInt8(ascii: "0") < 10 }
    guard count.contains(digits.count) else { return nil }
    bytes = bytes.dropFirst(digits.count)
    return Array(digits)
  }
}
