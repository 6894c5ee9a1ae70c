import CScanKernel
import Testing

/// What is asked of lines that fit a template, in every way that the processor has.
struct LineKernelTests {
  private static func spelling(_ text: ArraySlice<UInt8>) -> scan_spelling {
    var spelling = scan_spelling()
    withUnsafeMutableBytes(of: &spelling) { bytes in
      for (index, byte) in text.enumerated() { (bytes[index], bytes[32 + index]) = (byte, 0xFF) }
    }
    return spelling
  }

  @Test func `pieces stand where they are to, or one byte is another`() {
    var generator = SeededGenerator(seed: 21)
    for count in 0...40 {
      let text = (0..<400).map { _ in UInt8.random(in: 1...255, using: &generator) }
      let quotes = (0..<20).map { UInt32(10 + 17 * $0) }
      var spellings: [scan_spelling] = []
      var pieces: [scan_piece] = []
      var covered: Set<Int> = []
      for number in 0..<count {
        let quote = Int.random(in: 0..<quotes.count, using: &generator)
        let offset = Int.random(in: -10...10, using: &generator)
        let start = Int(quotes[quote]) + offset
        let range = start..<start + Int.random(in: 1...32, using: &generator)
        covered.formUnion(range)
        spellings.append(Self.spelling(text[range]))
        pieces.append(
          scan_piece(
            spelling: UInt32(number * MemoryLayout<scan_spelling>.stride), quote: Int16(quote),
            offset: Int16(offset)))
      }
      for way in 0...scan_best_way() {
        #expect(scan_pieces(way, text, quotes, pieces, pieces.count, spellings))
        for place in text.indices {
          var other = text
          other[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
          let stand = scan_pieces(way, other, quotes, pieces, pieces.count, spellings)
          #expect(stand != covered.contains(place), "way \(way), \(count) pieces, byte \(place)")
        }
      }
    }
  }

  /// A line's strings, what is known of each, and the codes that a loop over bytes finds.
  private struct Strings {
    var text = Array("{\"event\":".utf8)
    var quotes: [UInt32] = []
    /// 256 places for each string.
    var known: [scan_known] = []
    /// Up to the first string that is not known.
    var codes: [UInt32] = []

    init(_ strings: [(bytes: [UInt8], isKnown: Bool)]) {
      for string in strings {
        quotes.append(UInt32(text.count))
        text += [UInt8(ascii: "\"")] + string.bytes
        quotes.append(UInt32(text.count))
        text += Array("\",".utf8)
      }
      text += Array(repeating: UInt8(ascii: "x"), count: 64)
      var isUnknown = false
      for (number, string) in strings.enumerated() {
        let first = known.count
        known += Array(repeating: scan_known(), count: 256)
        isUnknown = isUnknown || !string.isKnown || !(1...32).contains(string.bytes.count)
        if isUnknown { continue }
        known[first + place(of: number)] = Self.known(string.bytes, code: UInt64(number + 100))
        codes.append(UInt32(number + 100))
      }
    }

    private func place(of number: Int) -> Int {
      text.withUnsafeBufferPointer { text in
        guard let base = text.baseAddress else { return 0 }
        return scan_known_place(
          base + Int(quotes[2 * number]) + 1, base + Int(quotes[2 * number + 1]))
      }
    }

    static func known(_ bytes: [UInt8], code: UInt64) -> scan_known {
      var padded = bytes + Array(repeating: 0, count: 32 - bytes.count)
      let words = padded.withUnsafeMutableBytes {
        $0.load(as: (UInt64, UInt64, UInt64, UInt64).self)
      }
      return scan_known(words: words, count: UInt64(bytes.count), code: code)
    }
  }

  @Test func `codes of strings of every length, up to one that is not known`() {
    var generator = SeededGenerator(seed: 22)
    for round in 0..<400 {
      let count = Int.random(in: 0...12, using: &generator)
      let strings = Strings(
        (0..<count).map { number in
          let length = round < 40 ? round : Int.random(in: 0...34, using: &generator)
          let bytes = (0..<length).map { _ in UInt8.random(in: 0x23...0x7E, using: &generator) }
          return (bytes, number % 7 != 6 || round % 3 > 0)
        })
      for way in 0...scan_best_way() {
        var row = Array(repeating: UInt32(0), count: count + 1)
        var known = strings.known
        let found = known.withUnsafeMutableBufferPointer { known -> Int in
          guard let base = known.baseAddress else { return 0 }
          let wanted = (0..<count).map { number in
            scan_wanted(
              known: base + 256 * number, quote: UInt16(2 * number), slot: UInt16(number), rule: 0)
          }
          return scan_codes(way, strings.text, strings.quotes + [0], wanted, count, &row)
        }
        #expect(found == strings.codes.count, "way \(way), round \(round)")
        #expect(Array(row.prefix(found)) == strings.codes, "way \(way), round \(round)")
        #expect(row.dropFirst(found).allSatisfy { $0 == 0 })
      }
    }
  }

  /// A value that begins as a known one, or that a known one begins with, is another.
  @Test func `a beginning is not the whole`() {
    for length in 1...32 {
      for other in 1...33 where other != length {
        let bytes = Array(repeating: UInt8(ascii: "a"), count: length)
        var known = Array(repeating: Strings.known(bytes, code: 5), count: 256)
        let text =
          Array("{\"event\":\"".utf8) + Array(repeating: UInt8(ascii: "a"), count: other)
          + Array(repeating: UInt8(ascii: "\""), count: 80)
        for way in 0...scan_best_way() {
          var row: [UInt32] = [0]
          let found = known.withUnsafeMutableBufferPointer { known -> Int in
            guard let base = known.baseAddress else { return 1 }
            let wanted = [scan_wanted(known: base, quote: 0, slot: 0, rule: 0)]
            return scan_codes(way, text, [9, UInt32(10 + other)], wanted, 1, &row)
          }
          #expect(found == 0, "way \(way): \(other) bytes are not \(length)")
        }
      }
    }
  }
}
