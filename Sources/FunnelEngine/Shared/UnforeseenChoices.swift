/// Choices that anybody who has all counts can repeat, and nobody who has only some of them.
///
/// What is hidden beside a small count would give it away if readers could work out which row or
/// category the rule takes: they would know that the others are small themselves.
struct UnforeseenChoices: Sendable {
  private var state: UInt64

  /// - Parameter seed: of more than what is shown (`TallyDigest`).
  init(seed: UInt64) { state = seed }

  /// Other choices for each name.
  init(seed: UInt64, name: String) {
    self.init(seed: name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }

  /// SplitMix64 (Steele, Lea, Flood 2014).
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func coin() -> Bool { next() & 1 == 0 }

  /// One of some elements, the first with a chance of a half, the next with half of what is left,
  /// and so on; `nil` where there is none.
  mutating func early<Element>(of elements: [Element]) -> Element? {
    let place = next().trailingZeroBitCount
    return elements.isEmpty ? nil : elements[min(place, elements.count - 1)]
  }
}
