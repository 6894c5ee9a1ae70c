/// All probabilities that fates are drawn with, each with a label: the written half of the truth.
struct ChanceBook: Sendable {
  struct Entry: Sendable {
    var chance: String
    var of: String
    var given: String
    var arm: String
    var probability: Double
    /// Not worth a row: a return on a day that no measure asks for.
    var isMinor: Bool
  }

  private(set) var entries: [Entry] = []

  /// Adds a probability and returns its slot.
  mutating func add(
    _ chance: String, of: String, given: String = "", arm: String, _ probability: Double,
    isMinor: Bool = false
  ) -> Int {
    entries.append(
      Entry(
        chance: chance, of: of, given: given, arm: arm,
        probability: (min(1, max(0, probability)) * 1e6).rounded() / 1e6, isMinor: isMinor))
    return entries.count - 1
  }
}

/// How often each probability of a book was drawn, and how often it came true.
struct ChanceCounts: Sendable {
  var trials: [Int]
  var hits: [Int]

  init(slots: Int) {
    trials = Array(repeating: 0, count: slots)
    hits = Array(repeating: 0, count: slots)
  }

  mutating func merge(_ other: ChanceCounts) {
    for slot in trials.indices {
      trials[slot] += other.trials[slot]
      hits[slot] += other.hits[slot]
    }
  }
}
