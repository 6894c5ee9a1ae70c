/// A date and a time as spreadsheets write them: `2026/1/21 9:30`, with what stands behind the time
/// taken as it is.
///
/// Only dates that begin with the year: which of `10/01/2026` is the month, nobody knows.
@safe struct LooseDate {
  /// As RFC 3339 has it, with `padding` bytes behind it that may be read.
  private(set) var text: [UInt8] = []
  private(set) var count = 0
  private(set) var isDateAlone = false
  private static let padding = 32
  private var rest: UnsafeBufferPointer<UInt8>.SubSequence

  /// `nil` for anything else.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe rest = bytes[...]
    guard takeDigits(4, atLeast: 4), let mark = unsafe rest.first,
      mark == UInt8(ascii: "-") || mark == UInt8(ascii: "/")
    else { return nil }
    for _ in 0..<2 {
      guard take(mark, as: UInt8(ascii: "-")), takeDigits(2, atLeast: 1) else { return nil }
    }
    if unsafe rest.isEmpty {
      isDateAlone = true
      return
    }
    let (space, capital, colon) = (UInt8(ascii: " "), UInt8(ascii: "T"), UInt8(ascii: ":"))
    let hasTime =
      take(space, as: space) || take(capital, as: capital) || take(UInt8(ascii: "t"), as: capital)
    guard hasTime, takeDigits(2, atLeast: 1), take(colon, as: colon), takeDigits(2, atLeast: 2)
    else { return nil }
    if take(colon, as: colon) {
      guard takeDigits(2, atLeast: 2) else { return nil }
    } else {
      guard unsafe rest.first != UInt8(ascii: "."), unsafe rest.first != UInt8(ascii: ",") else {
        return nil
      }
      text += ":00".utf8
    }
    unsafe text += rest
    count = text.count
    text += [UInt8](repeating: 0, count: Self.padding)
  }

  /// Takes as many digits as there are, `most` at most, and writes that many, with zeros before.
  private mutating func takeDigits(_ most: Int, atLeast least: Int) -> Bool {
    let digits = unsafe rest.prefix(most).prefix { $0 &- UInt8(ascii: "0") < 10 }
    guard unsafe digits.count >= least else { return false }
    unsafe text += [UInt8](repeating: UInt8(ascii: "0"), count: most - digits.count) + digits
    unsafe rest = rest.dropFirst(digits.count)
    return true
  }

  private mutating func take(_ byte: UInt8, as written: UInt8) -> Bool {
    guard unsafe rest.first == byte else { return false }
    unsafe rest = rest.dropFirst()
    text.append(written)
    return true
  }
}
