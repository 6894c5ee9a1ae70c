/// Some ASCII characters, looked up without walking through a text.
struct ByteSet: Sendable {
  private let low: UInt64
  private let high: UInt64

  /// - Parameter characters: what is beyond ASCII is left out.
  init(_ characters: String) {
    var (low, high): (UInt64, UInt64) = (0, 0)
    for byte in characters.utf8 where byte < 128 {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
    (self.low, self.high) = (low, high)
  }

  func contains(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1
  }
}
