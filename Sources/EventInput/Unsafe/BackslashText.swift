/// The backslashes that databases write for what can't stand in a line of text without quotes:
/// `mysql -B` and PostgreSQL's `COPY` write `\n` for a line feed and `\\` for a backslash.
///
/// Nothing in a file says that it is written so. It is known by the first object of JSON that is
/// none as it stands, and one without these backslashes; from there on they are taken out of all
/// values.
struct BackslashText {
  private(set) var isUsed = false
  /// How many objects may be looked at that are JSON as they stand.
  private var looksLeft = 200

  /// The value without them; `nil` where it has none.
  mutating func plain(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    guard isUsed || looksLeft > 0, value.contains(UInt8(ascii: "\\")) else { return nil }
    if isUsed { return Self.withoutBackslashes(value) }
    guard value.first == UInt8(ascii: "{") else { return nil }
    let plain = Self.withoutBackslashes(value)
    looksLeft -= 1
    guard plain.count < value.count, !JSONText.isValid(value), JSONText.isValid(plain[...]) else {
      return nil
    }
    isUsed = true
    return plain
  }

  private static func withoutBackslashes(_ value: ArraySlice<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(value.count)
    var place = value.startIndex
    while place < value.endIndex {
      let byte = value[place]
      place += 1
      guard byte == UInt8(ascii: "\\"), place < value.endIndex else {
        plain.append(byte)
        continue
      }
      plain.append(Self.meaning(value[place]))
      place += 1
    }
    return plain
  }

  private static func meaning(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "v"): 0x0B
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "0"): 0
    default: byte
    }
  }
}
