import Foundation

/// Random numbers of a fixed seed (SplitMix64: Steele, Lea and Flood, OOPSLA 2014) and what is
/// drawn from them. Draws are exact: nothing is approximated that a decision could depend on.
struct Draws: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Above 0 and below 1.
  mutating func uniform() -> Double { (Double(next() >> 11) + 0.5) * 0x1p-53 }

  /// Normal with mean 0 and standard deviation 1 (Box and Muller, 1958).
  mutating func normal() -> Double {
    let (first, second) = (uniform(), uniform())
    return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
  }

  /// Successes in `trials`, by inversion from the mode outwards: some standard deviations of steps.
  mutating func binomial(_ trials: Int, _ share: Double) -> Int {
    guard trials > 0, share > 0 else { return 0 }
    guard share < 1 else { return trials }
    let mode = min(trials, Int(Double(trials + 1) * share))
    let odds = share / (1 - share)
    let own = exp(
      lgamma(Double(trials + 1)) - lgamma(Double(mode + 1)) - lgamma(Double(trials - mode + 1))
        + Double(mode) * log(share) + Double(trials - mode) * log1p(-share))
    var remaining = uniform() - own
    var (low, high) = (mode, mode)
    var (chanceBelow, chanceAbove) = (own, own)
    while remaining > 0, low > 0 || high < trials {
      if high < trials {
        chanceAbove *= odds * Double(trials - high) / Double(high + 1)
        high += 1
        remaining -= chanceAbove
        if remaining <= 0 { return high }
      }
      if low > 0 {
        chanceBelow *= Double(low) / (odds * Double(trials - low + 1))
        low -= 1
        remaining -= chanceBelow
        if remaining <= 0 { return low }
      }
    }
    return mode
  }

  /// Seconds of a long-tailed duration: log-normal, `spread` on the scale of logarithms.
  mutating func duration(median: Double, spread: Double) -> Double {
    median * exp(spread * normal())
  }
}
