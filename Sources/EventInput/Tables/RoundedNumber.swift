/// A number that was written in floating point and is 2⁵³ or more, or -2⁵³ or less: not each of
/// these whole numbers is one there (definitions 3.1).
enum RoundedNumber {
  /// - Parameters:
  ///   - written: with a point or an exponent, where it is in floating point.
  ///   - plain: the same without an exponent, where that isn't far too large.
  static func isOne(
    _ written: UnsafeRawBufferPointer, plain: UnsafeRawBufferPointer
  ) -> Bool {
    let exponent = unsafe written.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
    guard unsafe exponent != nil || written.contains(UInt8(ascii: ".")) else { return false }
    if let last = unsafe plain.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      // Too many zeros to be written out, before the point or behind it.
      return unsafe last + 1 < plain.count && plain[last + 1] != UInt8(ascii: "-")
    }
    let sign = unsafe plain.first == UInt8(ascii: "-") ? 1 : 0
    let whole = unsafe plain.dropFirst(sign).prefix { $0 &- UInt8(ascii: "0") < 10 }
    let count = unsafe whole.count
    return unsafe count > limit.count
      || (count == limit.count && !whole.lexicographicallyPrecedes(limit))
  }

  /// 2⁵³.
  private static let limit = Array("9007199254740992".utf8)
}
