/// A number that depends on all counters and durations of a tally, so on far more than what a table
/// for others shows. It is the same however the tally was divided.
struct TallyDigest {
  private(set) var value: UInt64 = 0

  init(_ tally: Tally) {
    for (key, counts) in tally.cells {
      var hash = StableHash(key.group)
      hash.feed(key.breakdown.dimension)
      hash.feed(key.breakdown.value)
      for count in counts { hash.feed(count) }
      add(hash)
    }
    for (key, histogram) in tally.times {
      var hash = StableHash(key.group)
      for (edge, count) in histogram.buckets {
        hash.feed(Int(edge))
        hash.feed(count)
      }
      add(hash)
    }
  }

  /// In any order: a dictionary has none.
  private mutating func add(_ hash: StableHash) {
    var choices = UnforeseenChoices(seed: hash.value)
    value &+= choices.next()
  }
}
