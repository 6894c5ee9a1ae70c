/// A number that depends on all counters and durations of a tally, so on far more than what a table
/// for others shows. It is the same however the tally was divided.
struct TallyDigest {
  private(set) var value: UInt64 = 0

  init(_ tally: Tally) {
    for (key, counts) in tally.cells {
      var hash = TallyDigest.hash(key.group, key.breakdown)
      for count in counts { TallyDigest.feed(count, to: &hash) }
      add(hash)
    }
    for (key, histogram) in tally.times {
      var hash = TallyDigest.hash(key.group, .all)
      for (edge, count) in histogram.buckets {
        TallyDigest.feed(Int(edge), to: &hash)
        TallyDigest.feed(count, to: &hash)
      }
      add(hash)
    }
  }

  /// In any order: a dictionary has none.
  private mutating func add(_ hash: UInt64) {
    var choices = UnforeseenChoices(seed: hash)
    value &+= choices.next()
  }

  private static func hash(_ group: GroupKey, _ breakdown: BreakdownKey) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    let names = [breakdown.dimension, breakdown.value, group.version]
    for name in names + group.variants.map(\.label) {
      for byte in name.utf8 { feed(Int(byte), to: &hash) }
      feed(-1, to: &hash)
    }
    return hash
  }

  private static func feed(_ number: Int, to hash: inout UInt64) {
    hash = (hash ^ UInt64(bitPattern: Int64(number))) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
  }
}
