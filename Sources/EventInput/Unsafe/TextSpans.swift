/// The parts of a text that may be an id in a line that can't be parsed: a few words and what
/// stands between them, such as `user:42`, `a/b (c)` or `3f2a-11d0`.
package enum TextSpans {
  /// A UUID has 9 pieces, an address of mail 5 or more.
  private static let mostPieces = 24

  /// Whether a test holds for any of them.
  package static func contains(
    in text: [UInt8], where isWanted: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    // A piece is a word, or a sign alone.
    var bounds = text.indices.filter { index in
      index == 0 || !isOfWord(text[index - 1]) || !isOfWord(text[index])
    }
    bounds.append(text.count)
    return unsafe text.withUnsafeBytes { bytes in
      for first in bounds.indices.dropLast() where unsafe bytes[bounds[first]] > 0x20 {
        for last in (first + 1)...min(first + mostPieces, bounds.count - 1)
        where unsafe bytes[bounds[last] - 1] > 0x20 {
          let span = unsafe UnsafeRawBufferPointer(rebasing: bytes[bounds[first]..<bounds[last]])
          if unsafe isWanted(span) { return true }
        }
      }
      return false
    }
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
