import EventInput
import ReferenceEvaluator
import Testing

@testable import Timelines

/// Ids are numbered in order of appearance, one by one and many at once alike.
struct IdentifierTableTests {
  private static let keys = (0..<40_000).map {
    IdentifierKey.fixed.hash(of: "id \($0)", domain: .user)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func allWaysGiveTheSameNumbers(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var one = IdentifierTable()
    var atOnce = IdentifierTable()
    // Reused as it is from partition to partition.
    _ = atOnce.intern(all: Self.keys)
    atOnce.removeAll()
    var twin: [IdentifierHash: UInt32] = [:]
    for round in 1..<60 {
      let batch = (0..<Int.random(in: 1..<900, using: &generator)).map { _ in
        Int.random(in: 0..<9, using: &generator) == 0
          ? IdentifierHash.missing
          : Self.keys[Int.random(in: 0..<min(Self.keys.count, round * 700), using: &generator)]
      }
      var expected: [UInt32] = []
      // New keys have numbers in the order of the batch.
      for key in batch {
        if key.isMissing {
          expected.append(.max)
          continue
        }
        let number = twin[key] ?? UInt32(twin.count)
        twin[key] = number
        expected.append(number)
        #expect(one.intern(key) == number)
      }
      #expect(atOnce.intern(all: batch) == expected, "round \(round)")
    }
    #expect(one.count == twin.count && one.count > 10_000)
    #expect(atOnce.keys == one.keys)
    for (key, number) in twin { #expect(one.find(key) == number) }
    #expect(one.find(.missing) == nil)
  }
}
