/// 16 bits of an event's own id, to tell events apart that agree in everything else.
///
/// Two ids are taken for one with a probability of 1 in 65,535, which matters only where a person's
/// events agree in time, name, properties and circumstances. No secret is needed: the hash isn't
/// written anywhere that the id could be looked up from.
enum MessageHash {
  /// Odd numbers without a pattern (Steele, Lea, Flood 2014: the constants of splitmix64).
  private static let multipliers: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9)

  /// The hash of an id; never 0, which stands for none.
  @inline(__always)
  static func of(_ id: IdentifierText) -> UInt16 {
    let hash = unsafe UInt16(truncatingIfNeeded: mixed(UnsafeRawPointer(id.start), id.count) >> 48)
    return hash == 0 ? 1 : hash
  }

  /// Two sums that do not wait for each other, of 16 bytes a step.
  @inline(__always)
  private static func mixed(_ id: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var first = UInt64(truncatingIfNeeded: count) &* multipliers.0
    var second = multipliers.1
    guard count >= 8 else {
      for index in 0..<count {
        let byte = unsafe id.load(fromByteOffset: index, as: UInt8.self)
        first = (first ^ UInt64(byte)) &* multipliers.1
      }
      return (first ^ first >> 29) &* multipliers.0
    }
    var offset = 0
    while offset &+ 16 <= count {
      first = unsafe (first ^ word(id, offset)) &* multipliers.1
      first ^= first >> 32
      second = unsafe (second ^ word(id, offset &+ 8)) &* multipliers.0
      second ^= second >> 32
      offset &+= 16
    }
    // What is left, some of it for the second time: the last 8 bytes, and those before them.
    if offset &+ 8 <= count { first = unsafe (first ^ word(id, offset)) &* multipliers.1 }
    second = unsafe (second ^ word(id, count &- 8)) &* multipliers.0
    let sum = (first ^ first >> 29) &* multipliers.0 ^ (second ^ second >> 31)
    return (sum ^ sum >> 27) &* multipliers.1
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
