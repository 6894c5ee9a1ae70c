/// UTF-8 by the table of RFC 3629: shortest forms only, no surrogates, nothing above U+10FFFF.
enum UTF8Text {
  typealias Address = UnsafePointer<UInt8>

  /// The address after the character that begins here with a byte from 0x80, or nil.
  ///
  /// Reads at most four bytes and stops at the first that does not belong: so text that ends with
  /// a line feed is not overrun.
  @inline(__always)
  static func characterEnd(_ p: Address) -> Address? {
    let first = unsafe p[0]
    let second = unsafe p[1]
    if first < 0xC2 { return nil }
    if first < 0xE0 { return unsafe second & 0xC0 == 0x80 ? p + 2 : nil }
    if first < 0xF0 {
      let low: UInt8 = first == 0xE0 ? 0xA0 : 0x80
      let high: UInt8 = first == 0xED ? 0x9F : 0xBF
      guard second >= low, second <= high, unsafe p[2] & 0xC0 == 0x80 else { return nil }
      return unsafe p + 3
    }
    if first > 0xF4 { return nil }
    let low: UInt8 = first == 0xF0 ? 0x90 : 0x80
    let high: UInt8 = first == 0xF4 ? 0x8F : 0xBF
    guard second >= low, second <= high, unsafe p[2] & 0xC0 == 0x80, unsafe p[3] & 0xC0 == 0x80
    else {
      return nil
    }
    return unsafe p + 4
  }

  /// The first byte that is no UTF-8, or nil. A line feed stands at `end`.
  static func firstInvalid(_ start: Address, _ end: Address) -> Address? {
    var p = unsafe start
    while unsafe p < end {
      if unsafe p.pointee < 0x80 {
        unsafe p += 1
      } else {
        guard let next = unsafe characterEnd(p) else { return unsafe p }
        unsafe p = next
      }
    }
    return nil
  }
}
