/// A small generator with a fixed seed (Steele, Lea and Flood, OOPSLA 2014), so that a failing
/// case can be had again.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// What `Double.random(in: 0..<1, using: &self)` draws. Tests draw tens of millions of numbers, and
  /// unoptimised that one costs ten times as much.
  mutating func uniform() -> Double { Double(next() & ((1 << 53) - 1)) * 0x1p-53 }

  /// How many of so many trials succeed, each drawn by itself.
  mutating func successes(of trials: Int, chance: Double) -> Int {
    var count = 0
    var left = trials
    while left > 0 {
      if uniform() < chance { count += 1 }
      left -= 1
    }
    return count
  }
}
