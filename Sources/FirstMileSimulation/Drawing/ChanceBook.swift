/// All probabilities that fates are drawn with, each with a label: the written half of the truth.
struct ChanceBook: Sendable {
  struct Entry: Sendable {
    var chance: String
    var of: String
    var given: String
    var arm: String
    var probability: Double
  }

  private(set) var entries: [Entry] = []

  /// Adds a probability and returns its slot.
  mutating func add(
    _ chance: String, of: String, given: String = "", arm: String, _ probability: Double
  ) -> Int {
    entries.append(
      Entry(
        chance: chance, of: of, given: given, arm: arm,
        probability: (min(1, max(0, probability)) * 1e6).rounded() / 1e6))
    return entries.count - 1
  }
}

/// How often each probability of a book was drawn, and how often it came true.
struct ChanceCounts: Sendable {
  var trials: [Int]
  var hits: [Int]
  /// What is expected of the draws, in millionths: days and incidents change the odds of some, so
  /// that not every draw has the probability of the book. Integers, so that no order of adding
  /// changes a digit.
  var expectedMillionths: [Int]
  var varianceMillionths: [Int]

  init(slots: Int) {
    trials = Array(repeating: 0, count: slots)
    hits = Array(repeating: 0, count: slots)
    expectedMillionths = Array(repeating: 0, count: slots)
    varianceMillionths = Array(repeating: 0, count: slots)
  }

  mutating func note(_ slot: Int, _ probability: Double, isHit: Bool) {
    trials[slot] += 1
    if isHit { hits[slot] += 1 }
    expectedMillionths[slot] += Int((probability * 1e6).rounded())
    varianceMillionths[slot] += Int((probability * (1 - probability) * 1e6).rounded())
  }

  mutating func merge(_ other: ChanceCounts) {
    for slot in trials.indices {
      trials[slot] += other.trials[slot]
      hits[slot] += other.hits[slot]
      expectedMillionths[slot] += other.expectedMillionths[slot]
      varianceMillionths[slot] += other.varianceMillionths[slot]
    }
  }
}
