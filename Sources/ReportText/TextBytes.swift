/// A long text that is put together from many short parts.
///
/// As bytes: adding to a `String` costs several times as much, and tables have a million parts.
package struct TextBytes {
  package private(set) var bytes: [UInt8] = []

  package init(bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Makes room for some bytes more.
  package mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  package mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  package mutating func add(_ other: TextBytes) { bytes.append(contentsOf: other.bytes) }

  package mutating func add(_ count: Int) {
    if count < 0 { bytes.append(0x2D) }
    add(digitsOf: UInt64(count.magnitude))
  }

  /// A number in decimal digits, filled up with zeros before it.
  package mutating func add(digitsOf number: UInt64, filledTo width: Int = 1) {
    // No number of 64 bits has more digits.
    var digits = InlineArray<20, UInt8>(repeating: 0x30)
    var start = 20
    var rest = number
    while rest > 0 {
      start -= 1
      digits[start] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    addZeros(width - (20 - start))
    for place in start..<20 { bytes.append(digits[place]) }
  }

  /// Adds none for a negative count.
  mutating func addZeros(_ count: Int) {
    if count > 0 { bytes.append(contentsOf: repeatElement(0x30, count: count)) }
  }
}
