/// A position in one line of JSON, for readers that walk any keys in their order.
struct JSONCursor {
  let bytes: [UInt8]
  var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The byte at the position; `nil` at the end.
  var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  mutating func skipSpace() {
    while let byte, byte == 0x20 || (0x09...0x0D).contains(byte) { place += 1 }
  }

  /// Skips space, then one byte if it is the wanted one.
  mutating func take(_ wanted: UInt8) -> Bool {
    skipSpace()
    guard byte == wanted else { return false }
    place += 1
    return true
  }

  /// The text at the position, unescaped; `nil` if no whole text stands there.
  mutating func string() -> String? {
    skipSpace()
    let start = place + 1
    guard passString() else { return nil }
    let raw = bytes[start..<(place - 1)]
    guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
    return JSONText.unescaped(Array(raw))
  }

  /// Skips the value at the position, of any kind; false if it is not whole.
  mutating func pass() -> Bool {
    var open = 0
    repeat {
      skipSpace()
      switch byte {
      case nil: return false
      case UInt8(ascii: "\""): if !passString() { return false }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        open -= 1
        place += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        if open == 0 { return false }
        place += 1
      default: passWord()
      }
    } while open > 0
    return open == 0
  }

  /// Skips a number, `true`, `false` or `null`.
  private mutating func passWord() {
    let ends = Array(",:{}[]\" \t\r\n".utf8)
    repeat { place += 1 } while place < bytes.count && !ends.contains(bytes[place])
  }

  private mutating func passString() -> Bool {
    guard byte == UInt8(ascii: "\"") else { return false }
    place += 1
    while let byte, byte != UInt8(ascii: "\"") { place += byte == UInt8(ascii: "\\") ? 2 : 1 }
    guard place < bytes.count else { return false }
    place += 1
    return true
  }
}
