import EventInput
import ReferenceEvaluator
import Testing

@testable import Timelines

/// Ids are numbered in order of appearance, one by one, many at once and with guesses alike.
struct IdentifierTableTests {
  private static let keys = (0..<40_000).map {
    IdentifierKey.fixed.hash(of: "id \($0)", domain: .user)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func allWaysGiveTheSameNumbers(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var one = IdentifierTable()
    var many = IdentifierTable()
    var guessed = IdentifierTable()
    var atOnce = IdentifierTable()
    var twin: [IdentifierHash: UInt32] = [:]
    var numbers: [UInt32] = []
    var guesses: [UInt32] = []
    for round in 1..<60 {
      let count = Int.random(in: 1..<900, using: &generator)
      // What comes behind the count is of another batch.
      let batch = (0..<count + 3).map { _ in
        Int.random(in: 0..<9, using: &generator) == 0
          ? IdentifierHash.missing
          : Self.keys[Int.random(in: 0..<min(Self.keys.count, round * 700), using: &generator)]
      }
      var expected: [UInt32] = []
      // New keys have numbers in the order of the batch.
      for key in batch[..<count] {
        if key.isMissing {
          expected.append(.max)
          continue
        }
        let number = twin[key] ?? UInt32(twin.count)
        twin[key] = number
        expected.append(number)
        #expect(one.intern(key) == number)
      }
      many.intern(batch, count: count, into: &numbers)
      #expect(numbers[..<count] == expected[...], "round \(round)")
      #expect(atOnce.intern(all: Array(batch[..<count])) == expected, "round \(round)")
      // Right ones, none, wrong ones, and numbers that nobody has.
      if guesses.count < count + 3 { guesses = Array(repeating: .max, count: count + 3) }
      for index in 0..<count {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: guesses[index] = .max
        case 1: guesses[index] = UInt32.random(in: 0..<50_000, using: &generator)
        default: guesses[index] = expected[index]
        }
      }
      guessed.intern(batch, count: count, guessed: &guesses)
      #expect(guesses[..<count] == expected[...], "round \(round)")
    }
    #expect(one.count == twin.count && one.count > 10_000)
    #expect(many.keys == one.keys && guessed.keys == one.keys)
    for (key, number) in twin { #expect(one.find(key) == number) }
    #expect(one.find(.missing) == nil)
  }
}
