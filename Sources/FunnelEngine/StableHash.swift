/// FNV-1a over texts, and over numbers as whole words: equal on every machine and in every run.
struct StableHash {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash of what everything about a group begins with.
  init(_ group: GroupKey) {
    feed(group.version)
    for variant in group.variants {
      feed(variant.label)
      for name in variant.mixedVariants { feed(name) }
    }
    for (experiment, period) in group.periods.enumerated() where period > 0 {
      feed("\(experiment):\(period)")
    }
  }

  /// Of nothing so far.
  init() {}

  mutating func feed(_ text: String) { feed(Array(text.utf8)) }

  mutating func feed(_ bytes: [UInt8]) {
    var hash = state
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    state = (hash ^ 0xFF) &* 0x100_0000_01B3
  }

  mutating func feed(_ number: Int) {
    state = (state ^ UInt64(bitPattern: Int64(number))) &* 0x100_0000_01B3
  }

  var value: UInt64 { state ^ (state >> 29) }
}
