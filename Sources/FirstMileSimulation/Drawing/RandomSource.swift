import Foundation

/// A seeded source of random numbers, xoshiro256** (Blackman and Vigna 2018), filled by SplitMix64.
///
/// Every person has a source of their own, made of the seed and the person's number: so it does
/// not matter which thread draws whom, or when.
struct RandomSource {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  init(seed: UInt64, stream: UInt64) {
    var mixer = SplitMix(state: SplitMix.mixed(seed) ^ SplitMix.mixed(stream &+ 0x9E37_79B9))
    state = (mixer.next(), mixer.next(), mixer.next(), mixer.next())
  }

  mutating func next() -> UInt64 {
    let product = state.1 &* 5
    let result = ((product << 7) | (product >> 57)) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = (state.3 << 45) | (state.3 >> 19)
    return result
  }

  /// Uniform in [0, 1), 53 bits.
  mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  mutating func chance(_ probability: Double) -> Bool {
    unit() < probability
  }

  /// Uniform in 0 ..< bound; 0 where the bound is not positive.
  mutating func below(_ bound: Int) -> Int {
    guard bound > 0 else { return 0 }
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// Uniform in the range, both ends included; the lower end where it is empty.
  mutating func milliseconds(_ from: Int64, _ through: Int64) -> Int64 {
    guard through > from else { return from }
    return from + Int64(below(Int(through - from + 1)))
  }

  /// exp(N(ln median, sigma²)), by Box and Muller.
  mutating func logNormal(median: Double, sigma: Double) -> Double {
    let radius = (-2 * log(1 - unit())).squareRoot()
    return median * exp(sigma * radius * cos(2 * Double.pi * unit()))
  }

  mutating func exponential(mean: Double) -> Double {
    -mean * log(1 - unit())
  }

  /// An index drawn by weight; the weights add up to the last cumulated one.
  mutating func index(cumulated: [Double]) -> Int {
    guard let total = cumulated.last else { return 0 }
    let drawn = unit() * total
    for (index, bound) in cumulated.enumerated() where drawn < bound { return index }
    return cumulated.count - 1
  }
}

/// SplitMix64 (Steele, Lea and Flood 2014): one multiplication chain from a counter to a hash.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return SplitMix.finished(state)
  }

  static func mixed(_ value: UInt64) -> UInt64 {
    finished(value &+ 0x9E37_79B9_7F4A_7C15)
  }

  private static func finished(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
