/// What the texts in a table mean where another format would have numbers and truth values:
/// programs write these as they like.
enum UntypedValue {
  /// How many bytes of a whole number stand before its point: pandas writes 42 as `42.0` in a
  /// column in which a value is missing. `nil` for what has no such point.
  static func wholeDigits(_ text: UnsafeRawBufferPointer) -> Int? {
    guard text.count > 2, unsafe text[text.count - 1] == UInt8(ascii: "0"),
      unsafe text[0] &- 0x30 < 10 || text[0] == UInt8(ascii: "-")
    else { return nil }
    var point = text.count - 2
    while point > 0, unsafe text[point] == UInt8(ascii: "0") { point -= 1 }
    guard point > 0, unsafe text[point] == UInt8(ascii: "."), unsafe text[point - 1] &- 0x30 < 10
    else {
      return nil
    }
    return unsafe text[1..<point].allSatisfy { $0 &- 0x30 < 10 } ? point : nil
  }

  /// Whether a number has lost digits in a spreadsheet, `1.76246E+17` may be any of a trillion ids,
  /// or may have: programs write numbers from 1e16 on like this where they hold them in 64 bits of
  /// floating point, which not every id above 2^53 fits.
  static func isRounded(_ text: UnsafeRawBufferPointer) -> Bool {
    let count = text.count
    guard count >= 5, unsafe text[0] &- 0x30 < 10,
      unsafe text[count - 3] == UInt8(ascii: "+") || text[count - 4] == UInt8(ascii: "+")
    else { return false }
    let sign = unsafe text[count - 3] == UInt8(ascii: "+") ? count - 3 : count - 4
    guard sign > 1, count <= 32, unsafe text[sign - 1] | 0x20 == UInt8(ascii: "e") else {
      return false
    }
    let exponent = unsafe text[(sign + 1)...]
    let fraction = unsafe text[1..<(sign - 1)]
    if let point = unsafe fraction.first, point != UInt8(ascii: "."), point != UInt8(ascii: ",") {
      return false
    }
    guard unsafe exponent.allSatisfy({ $0 &- 0x30 < 10 }),
      unsafe fraction.dropFirst().allSatisfy({ $0 &- 0x30 < 10 })
    else { return false }
    let zeros = unsafe exponent.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return unsafe zeros >= exactDigits || zeros > fraction.count - 1
  }

  /// Of a whole number with as many digits behind the first one, the last is not sure.
  private static let exactDigits = 16

  /// Whether it is what R writes for a missing value.
  static func isNotAvailable(_ text: UnsafeRawBufferPointer) -> Bool {
    unsafe text.count == 2 && text[0] == UInt8(ascii: "N") && text[1] == UInt8(ascii: "A")
  }

  /// What a text means as a truth value, whatever else it might mean: Python, spreadsheets and
  /// databases spell it differently, and pandas writes 1.0 in a column in which a value is missing.
  static func truth(_ text: UnsafeRawBufferPointer) -> Bool? {
    if let truth = unsafe plainTruth(text) { return truth }
    let text = unsafe UnsafeRawBufferPointer(rebasing: text[..<(wholeDigits(text) ?? text.count)])
    if unsafe spellsTrue.contains(where: text.elementsEqual) { return true }
    return unsafe spellsFalse.contains(where: text.elementsEqual) ? false : nil
  }

  /// What a text means that can't mean anything else.
  static func plainTruth(_ text: UnsafeRawBufferPointer) -> Bool? {
    if unsafe plainTrue.contains(where: text.elementsEqual) { return true }
    return unsafe plainFalse.contains(where: text.elementsEqual) ? false : nil
  }

  private static let plainTrue = ["true", "True", "TRUE"].map { Array($0.utf8) }
  private static let plainFalse = ["false", "False", "FALSE"].map { Array($0.utf8) }

  private static let spellsTrue = ["1", "t", "T", "y", "Y", "yes", "Yes", "YES"].map {
    Array($0.utf8)
  }
  private static let spellsFalse = ["0", "f", "F", "n", "N", "no", "No", "NO"].map {
    Array($0.utf8)
  }
}
