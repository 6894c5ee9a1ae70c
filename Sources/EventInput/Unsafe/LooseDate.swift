/// A date and a time as spreadsheets write them: `2026/1/21 9:30`, also by half days (`9:30 PM`),
/// without marks (`20260121T093000Z`), or with a zone's name behind it (`Europe/Berlin`, as Trino
/// has it); what else stands behind the time is taken as it is.
///
/// Only dates that begin with the year: which of `10/01/2026` is the month, nobody knows.
@safe struct LooseDate {
  /// As RFC 3339 has it, with `padding` bytes behind it that may be read.
  private(set) var text: [UInt8] = []
  private(set) var count = 0
  private(set) var isDateAlone = false
  /// The name of the time's zone, as it stands behind it; empty where none does.
  private(set) var zone: [UInt8] = []
  private static let padding = 32
  private var rest: UnsafeBufferPointer<UInt8>.SubSequence

  /// `nil` for anything else.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe rest = bytes[...]
    guard takeDigits(4, atLeast: 4), let mark = unsafe rest.first else { return nil }
    if mark &- UInt8(ascii: "0") < 10 {
      guard takeWithoutMarks() else { return nil }
      finish()
      return
    }
    guard mark == UInt8(ascii: "-") || mark == UInt8(ascii: "/")
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
    guard takeHalfOfDay() else { return nil }
    takeZone()
    finish()
  }

  private mutating func finish() {
    unsafe text += rest
    count = text.count
    text += [UInt8](repeating: 0, count: Self.padding)
  }

  /// Takes what stands behind a year's digits in `20260121T093000`.
  private mutating func takeWithoutMarks() -> Bool {
    let capital = UInt8(ascii: "T")
    text.append(UInt8(ascii: "-"))
    guard takeDigits(2, atLeast: 2) else { return false }
    text.append(UInt8(ascii: "-"))
    guard takeDigits(2, atLeast: 2),
      take(capital, as: capital) || take(UInt8(ascii: "t"), as: capital),
      takeDigits(2, atLeast: 2)
    else { return false }
    text.append(UInt8(ascii: ":"))
    guard takeDigits(2, atLeast: 2) else { return false }
    guard unsafe rest.first.map({ $0 &- UInt8(ascii: "0") < 10 }) == true else {
      text += ":00".utf8
      return true
    }
    text.append(UInt8(ascii: ":"))
    return takeDigits(2, atLeast: 2)
  }

  /// Takes a fraction and `AM` or `PM` behind a time; false where no hour is called so.
  private mutating func takeHalfOfDay() -> Bool {
    let isFraction = unsafe rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",")
    let fraction = unsafe isFraction ? 1 + rest.dropFirst().prefix { $0 &- 0x30 < 10 }.count : 0
    var mark = unsafe rest.dropFirst(fraction)
    while let blank = unsafe Self.blank(mark) { unsafe mark = mark.dropFirst(blank) }
    let letters = unsafe mark.prefix(3).map { $0 | 0x20 }
    let isAfternoon = letters.first == UInt8(ascii: "p")
    guard letters.count >= 2, isAfternoon || letters[0] == UInt8(ascii: "a"),
      letters[1] == UInt8(ascii: "m"), letters.count < 3 || letters[2] &- 0x61 >= 26
    else { return true }
    let hour = text[11..<13].reduce(0) { $0 * 10 + Int($1) - 0x30 }
    guard 1...12 ~= hour else { return false }
    let hours = hour % 12 + (isAfternoon ? 12 : 0)
    text.replaceSubrange(11..<13, with: [0x30 + UInt8(hours / 10), 0x30 + UInt8(hours % 10)])
    unsafe text += rest.prefix(fraction)
    unsafe rest = mark.dropFirst(2)
    return true
  }

  /// Takes a name like `America/Los_Angeles` at the end.
  private mutating func takeZone() {
    guard let space = unsafe rest.lastIndex(of: UInt8(ascii: " ")) else { return }
    let name = unsafe rest[(space + 1)...]
    guard unsafe name.contains(UInt8(ascii: "/")), unsafe (name.first ?? 0) | 0x20 >= 0x61 else {
      return
    }
    zone = unsafe Array(name)
    unsafe rest = rest[..<space]
  }

  /// How many bytes the blank has that a text begins with: a space, one that doesn't break, or the
  /// narrow one that programs write before `PM`.
  private static func blank(_ text: UnsafeBufferPointer<UInt8>.SubSequence) -> Int? {
    let first = unsafe text.first
    if first == 0x20 || first == 0x09 { return 1 }
    if first == 0xC2 { return unsafe text.dropFirst().first == 0xA0 ? 2 : nil }
    return unsafe first == 0xE2 && text.dropFirst().starts(with: [0x80, 0xAF]) ? 3 : nil
  }

  /// The text without blanks around it.
  static func withoutBlanks(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> (start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    var text = unsafe UnsafeBufferPointer(start: start, count: end - start)[...]
    while let count = unsafe blank(text) { unsafe text = text.dropFirst(count) }
    while true {
      let ends = [1, 2, 3].first { unsafe text.count >= $0 && blank(text.suffix($0)) == $0 }
      guard let ends else { break }
      unsafe text = text.dropLast(ends)
    }
    return unsafe (start + text.startIndex, start + text.endIndex)
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
