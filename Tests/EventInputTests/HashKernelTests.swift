import CScanKernel
import Testing

@testable import EventInput

/// Hashes made side by side against those made one by one, whose vectors `IdentifierTests` checks.
struct HashKernelTests {
  @Test(arguments: Array(0...scan_best_way()))
  func manyTogetherAreAsEachAlone(way: Int32) throws {
    var random = SeededGenerator(seed: 11)
    let hash = SipHash(key0: random.next(), key1: random.next())
    for wordCount in 1...6 {
      let stride = 24
      var words = (0..<wordCount * stride).map { _ in random.next() }
      // The last word: what is left of the text, and its length in the topmost byte.
      let lengths = (0..<stride).map { 8 * (wordCount - 1) + $0 % 8 }
      for (text, length) in lengths.enumerated() {
        let rest = words[(wordCount - 1) * stride + text] & (1 << UInt64(length % 8 * 8) - 1)
        words[(wordCount - 1) * stride + text] = rest | UInt64(length) << 56
      }
      var low = [UInt64](repeating: 0, count: stride)
      var high = low
      words.withUnsafeBufferPointer { words in
        low.withUnsafeMutableBufferPointer { low in
          high.withUnsafeMutableBufferPointer { high in
            guard let words = words.baseAddress, let low = low.baseAddress,
              let high = high.baseAddress
            else { return }
            scan_hash(way, hash.key0, hash.key1, words, stride, wordCount, stride, low, high)
          }
        }
      }
      for text in 0..<stride {
        var bytes: [UInt8] = []
        for word in 0..<wordCount {
          withUnsafeBytes(of: words[word * stride + text].littleEndian) { bytes += $0 }
        }
        let alone = bytes[..<lengths[text]].withUnsafeBytes { hash.hash($0) }
        #expect(low[text] == alone.low && high[text] == alone.high)
      }
    }
  }

  /// Ids of every length, so that some wait for others and some don't, in batches of every size.
  @Test func idsOfEveryLengthHaveTheirHash() throws {
    var random = SeededGenerator(seed: 12)
    var lines: [String] = []
    var ids: [String] = []
    for number in 0..<1500 {
      let count = number % 3 == 0 ? Int(random.next() % 60) + 1 : 32 + Int(random.next() % 8)
      let id = String((0..<count).map { _ in "abcdef123456".randomElement(using: &random) ?? "a" })
      ids.append(id)
      lines.append(
        #"{"event":"e","user_id":"\#(id)","device_id":"d\#(id)","session_id":"s\#(id)","#
          + #""timestamp":"2026-01-21T10:00:00Z"}"#)
    }
    let events = try scan(lines.joined(separator: "\n") + "\n").events
    try #require(events.count == ids.count)
    for (event, id) in zip(events, ids) {
      #expect(event.user == IdentifierKey.fixed.hash(of: id, domain: .user))
      #expect(event.device == IdentifierKey.fixed.hash(of: "d\(id)", domain: .device))
      let session = IdentifierKey.fixed.hash(of: "s\(id)", domain: .session)
      #expect(UInt64(event.session) == session.low)
    }
  }
}
