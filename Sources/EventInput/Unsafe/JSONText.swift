/// What the insides of JSON strings and numbers stand for.
package enum JSONText {
  typealias Address = UnsafePointer<UInt8>

  @inline(__always)
  static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Writes a valid JSON string's text without its escapes and returns the count, which is at most
  /// `end - start`: `target` must have that much room. Lone surrogates become U+FFFD, line feeds
  /// `lineFeed`.
  static func unescape(
    _ start: Address, _ end: Address, into target: UnsafeMutablePointer<UInt8>,
    lineFeed: UInt8 = UInt8(ascii: "\n")
  ) -> Int {
    var p = unsafe start
    var out = unsafe target
    while unsafe p < end {
      // Eight bytes at a time: what is written of them beyond a backslash is overwritten. There is
      // room for them, since no less was read than written so far.
      if unsafe end - p >= 8 {
        let word = unsafe UnsafeRawPointer(p).loadUnaligned(as: UInt64.self)
        unsafe UnsafeMutableRawPointer(out).storeBytes(of: word, as: UInt64.self)
        let plain = bytesBeforeBackslash(UInt64(littleEndian: word))
        unsafe (p, out) = (p + plain, out + plain)
        if plain == 8 { continue }
      }
      if unsafe p.pointee != UInt8(ascii: "\\") {
        unsafe out.pointee = p.pointee
        unsafe out += 1
        unsafe p += 1
        continue
      }
      let mark = unsafe p[1]
      unsafe p += 2
      switch mark {
      case UInt8(ascii: "b"): unsafe out.pointee = 0x08
      case UInt8(ascii: "f"): unsafe out.pointee = 0x0C
      case UInt8(ascii: "n"): unsafe out.pointee = lineFeed
      case UInt8(ascii: "r"): unsafe out.pointee = 0x0D
      case UInt8(ascii: "t"): unsafe out.pointee = 0x09
      case UInt8(ascii: "u"):
        var unit = unsafe codeUnit(p)
        unsafe p += 4
        if unit & 0xFC00 == 0xD800, unsafe p + 6 <= end, unsafe p[0] == UInt8(ascii: "\\"),
          unsafe p[1] == UInt8(ascii: "u"), unsafe codeUnit(p + 2) & 0xFC00 == 0xDC00
        {
          unit = unsafe 0x10000 + (unit & 0x3FF) << 10 + codeUnit(p + 2) & 0x3FF
          unsafe p += 6
        }
        if unit == UInt32(UInt8(ascii: "\n")) { unit = UInt32(lineFeed) }
        unsafe out += encode(unit & 0xFFFF_F800 == 0xD800 ? 0xFFFD : unit, out)
        continue
      default: unsafe out.pointee = mark
      }
      unsafe out += 1
    }
    return unsafe out - target
  }

  /// How many of eight bytes, the first in the lowest, stand before a backslash.
  @inline(__always)
  private static func bytesBeforeBackslash(_ word: UInt64) -> Int {
    let differing = word ^ 0x5C5C_5C5C_5C5C_5C5C
    // The lowest bit that is set is that of the first byte without a difference.
    let marks = (differing &- 0x0101_0101_0101_0101) & ~differing & 0x8080_8080_8080_8080
    return marks.trailingZeroBitCount &>> 3
  }

  /// Whether some bytes are an object of JSON, over one line or several.
  static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
    // Line feeds are no white space to the lexer, which may read 64 bytes beyond the last one.
    var text = bytes.map { $0 == UInt8(ascii: "\n") ? 0x20 : $0 }
    text.append(UInt8(ascii: "\n"))
    text += Array(repeating: 0, count: 64)
    var state = LexerState()
    return unsafe text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return false }
      return unsafe withUnsafeMutablePointer(to: &state) {
        unsafe JSONLexer(state: $0).fault(start, start + bytes.count) == nil
      }
    }
  }

  /// Four hexadecimal digits, already checked.
  private static func codeUnit(_ p: Address) -> UInt32 {
    (0..<4).reduce(0) { unsafe $0 << 4 | (hexDigit(p[$1]) ?? 0) }
  }

  /// Never longer than the six bytes of the escape it comes from.
  private static func encode(_ scalar: UInt32, _ out: UnsafeMutablePointer<UInt8>) -> Int {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | scalar >> shift & 0x3F) }
    switch scalar {
    case 0..<0x80:
      unsafe out[0] = UInt8(scalar)
      return 1
    case 0x80..<0x800:
      unsafe out[0] = UInt8(0xC0 | scalar >> 6)
      unsafe out[1] = tail(0)
      return 2
    case 0x800..<0x10000:
      unsafe out[0] = UInt8(0xE0 | scalar >> 12)
      unsafe out[1] = tail(6)
      unsafe out[2] = tail(0)
      return 3
    default:
      unsafe out[0] = UInt8(0xF0 | scalar >> 18)
      unsafe out[1] = tail(12)
      unsafe out[2] = tail(6)
      unsafe out[3] = tail(0)
      return 4
    }
  }
}
