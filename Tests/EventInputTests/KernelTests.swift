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
    let broken = brokenCharacters(text)
    var isEscaped = false
    for (place, byte) in text.enumerated() {
      let wasEscaped = isEscaped
      isEscaped = byte == UInt8(ascii: "\\") && !wasEscaped
      if byte < 0x20 || isEscaped || broken.contains(place) {
        found.specials.append([UInt32(offset + place), UInt32(quotesBefore + found.quotes.count)])
      }
      if byte == UInt8(ascii: "\"") && !wasEscaped {
        found.quotes.append(UInt32(offset + place))
      }
    }
    return found
  }

  /// The places of bytes that are of no valid character (Unicode 15, table 3-7): of one that ends
  /// too early the last byte, and a second byte that the first does not allow. What the text's end
  /// cuts off is no matter.
  private static func brokenCharacters(_ text: ArraySlice<UInt8>) -> Set<Int> {
    let bytes = Array(text)
    var broken: Set<Int> = []
    var place = 0
    while place < bytes.count {
      let first = bytes[place]
      let count =
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
      if first >= 0x80 && count == 1 { broken.insert(place) }
      let seconds: ClosedRange<UInt8> =
        switch first {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
      var end = place + 1
      while end < min(place + count, bytes.count), bytes[end] & 0xC0 == 0x80 { end += 1 }
      if end < place + count && end < bytes.count { broken.insert(end - 1) }
      if end > place + 1 && !seconds.contains(bytes[place + 1]) { broken.insert(place + 1) }
      place = end
    }
    return broken
  }

  /// The text from `start` on, `count` bytes of it, as two pieces if `cut` is given; nil if
  /// something was written out of bounds.
  private static func indexed(
    _ way: Int32, _ text: [UInt8], _ start: Int, _ count: Int, _ offset: Int, cut: Int = 0
  ) -> Index? {
    let room = count + count / 64 + padding
    var quotes = [UInt32](repeating: 7, count: room + 1)
    var specials = [scan_special](repeating: scan_special(place: 7, quotes: 7), count: room + 1)
    let counts = text.withUnsafeBufferPointer { text -> scan_counts? in
      guard let base = text.baseAddress else { return nil }
      return quotes.withUnsafeMutableBufferPointer { quotes in
        specials.withUnsafeMutableBufferPointer { specials in
          guard let quotes = quotes.baseAddress, let specials = specials.baseAddress else {
            return nil
          }
          let first = scan_index(
            way, base + start, cut, 0, UInt32(offset), UInt32(quotesBefore), quotes, specials)
          let second = scan_index(
            way, base + start + cut, count - cut, cut, UInt32(offset + cut),
            UInt32(quotesBefore) + first.quotes, quotes + Int(first.quotes),
            specials + Int(first.specials))
          return scan_counts(
            quotes: first.quotes + second.quotes, specials: first.specials + second.specials)
        }
      }
    }
    guard let counts, quotes[room] == 7, specials[room].place == 7 else { return nil }
    // Where 64 bytes end, a byte may be found to be special twice.
    let all = specials.prefix(Int(counts.specials)).map { [$0.place, $0.quotes] }
    return (
      Array(quotes.prefix(Int(counts.quotes))),
      all.enumerated().filter { $0.offset == 0 || all[$0.offset - 1] != $0.element }.map(\.element)
    )
  }

  private static func expectSame(_ text: [UInt8], _ starts: [Int], _ offset: Int) {
    for way in 0...scan_best_way() {
      for start in starts {
        let count = text.count - padding - start
        let wanted = naive(text[start..<start + count], offset)
        // A text is cut where 64 bytes end, so that a step is not cut.
        for cut in stride(from: 0, through: count, by: 64) {
          let found = indexed(way, text, start, count, offset, cut: cut)
          let what: Comment = "way \(way), \(count) bytes from \(start), cut at \(cut)"
          #expect(found?.quotes == wanted.quotes, what)
          #expect(found?.specials == wanted.specials, what)
        }
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
    let words =
      ["a", "\"", "\\\"", "\\\\", "\n", "\u{e4}", "\u{4e2d}", "\u{d7ff}", "\u{1f600}"]
      .map { Array($0.utf8) } + [[0xE3, 0x81], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]]
    for count in 0...300 {
      let length = count + 40 + Self.padding
      let text: [UInt8] =
        switch count % 3 {
        case 0: (0..<length).map { _ in json[Int.random(in: 0..<json.count, using: &generator)] }
        case 1: (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
        // Whole characters and escapes, and seldom broken ones.
        default:
          Array(
            (0..<length).flatMap { _ in
              words[
                Int.random(
                  in: 0..<(Int.random(in: 0..<30, using: &generator) == 0 ? words.count : 9),
                  using: &generator)]
            }.prefix(length))
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
