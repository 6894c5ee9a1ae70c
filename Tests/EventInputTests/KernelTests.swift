import CScanKernel
import Testing

/// Every way of indexing a text against a loop over its bytes.
struct KernelTests {
  /// What is in the text behind its end must not be seen.
  private static let padding = 64

  /// Quotes, and special bytes with how many quotes stand before them.
  private typealias Index = (quotes: [UInt32], specials: [[UInt32]])

  private static let quotesBefore = 1_000

  private static func naive(_ text: ArraySlice<UInt8>, _ offset: Int) -> Index {
    var found: Index = ([], [])
    for (place, byte) in text.enumerated() {
      if byte == UInt8(ascii: "\"") { found.quotes.append(UInt32(offset + place)) }
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\\") {
        found.specials.append(
          [UInt32(offset + place), UInt32(quotesBefore + found.quotes.count)])
      }
    }
    return found
  }

  /// The text from `start` on, `count` bytes of it; nil if something was written out of bounds.
  private static func indexed(
    _ way: Int32, _ text: [UInt8], _ start: Int, _ count: Int, _ offset: Int
  ) -> Index? {
    let room = count + padding
    var quotes = [UInt32](repeating: 7, count: room + 1)
    var specials = [scan_special](repeating: scan_special(place: 7, quotes: 7), count: room + 1)
    let counts = text.withUnsafeBufferPointer { text -> scan_counts? in
      guard let base = text.baseAddress else { return nil }
      return quotes.withUnsafeMutableBufferPointer { quotes in
        specials.withUnsafeMutableBufferPointer { specials in
          guard let quotes = quotes.baseAddress, let specials = specials.baseAddress else {
            return nil
          }
          return scan_index(
            way, base + start, count, UInt32(offset), UInt32(quotesBefore), quotes, specials)
        }
      }
    }
    guard let counts, quotes[room] == 7, specials[room].place == 7 else { return nil }
    return (
      Array(quotes.prefix(Int(counts.quotes))),
      specials.prefix(Int(counts.specials)).map { [$0.place, $0.quotes] }
    )
  }

  private static func expectSame(_ text: [UInt8], _ starts: [Int], _ offset: Int) {
    for way in 0...scan_best_way() {
      for start in starts {
        let count = text.count - padding - start
        let found = indexed(way, text, start, count, offset)
        let wanted = naive(text[start..<start + count], offset)
        #expect(found?.quotes == wanted.quotes, "way \(way), \(count) bytes from \(start)")
        #expect(found?.specials == wanted.specials, "way \(way), \(count) bytes from \(start)")
      }
    }
  }

  @Test(arguments: [[0x22], [0x5C], [0x0A], [0x80], [0xFF], [0x00], [0x1F], [0x61], [0x7F], [0x20]])
  func `texts of one byte, of every length`(bytes: [UInt8]) {
    for count in 0...300 {
      let text = Array(repeating: bytes[0], count: count + Self.padding)
      Self.expectSame(text, [0], 0)
    }
  }

  @Test func `random texts of every length, from any address`() {
    var generator = SeededGenerator(seed: 7)
    let json = Array("{\"event\":\"page\",\"n\":12}\r\n\\\u{e4}".utf8)
    for count in 0...300 {
      let isJSON = count % 2 == 0
      let text = (0..<count + 40 + Self.padding).map { _ in
        isJSON
          ? json[Int.random(in: 0..<json.count, using: &generator)]
          : UInt8.random(in: 0...255, using: &generator)
      }
      let offset = Int.random(in: 0...3_000_000_000, using: &generator)
      Self.expectSame(text, [0, 1, Int.random(in: 2...40, using: &generator)], offset)
    }
  }

  @Test func `a text begins with a spelling or does not`() {
    var generator = SeededGenerator(seed: 8)
    for count in 1...32 {
      var spelling = scan_spelling()
      let text = (0..<64).map { _ in UInt8.random(in: 1...255, using: &generator) }
      withUnsafeMutableBytes(of: &spelling) { bytes in
        for index in 0..<count { (bytes[index], bytes[32 + index]) = (text[index], 0xFF) }
      }
      #expect(scan_begins(text, &spelling))
      for index in 0..<32 {
        var other = text
        other[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        #expect(scan_begins(other, &spelling) == (index >= count), "\(count), \(index)")
      }
    }
  }

  @Test func `the masks of a text's first bytes`() {
    let masks = scan_tail_masks()
    #expect((0..<64).allSatisfy { masks[$0] == ($0 < 32 ? 0xFF : 0) })
  }
}
