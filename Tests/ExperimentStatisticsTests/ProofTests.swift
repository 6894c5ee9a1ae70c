import Foundation
import Testing

@testable import ExperimentStatistics

/// A rule that asks for a proof passes only where the margin is excluded.
@Suite struct ProofTests {
  private let family = DropFamily(alpha: 0.05, power: 0.8, correction: .holm)

  private func limit(_ runs: Int) -> Double {
    0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
  }

  private func spread(_ share: Double, _ runs: Int) -> Double {
    3 * (share * (1 - share) / Double(runs)).squareRoot() + 0.01
  }

  private struct Found {
    /// Not failed; shown to hold; and as the plan says.
    var (green, proven, promised) = (0.0, 0.0, 0.0)
  }

  private func runs(_ count: Int, _ trials: Int, _ rate: Double, drop: Double, margin: Double)
    -> Found
  {
    var random = SplitMix64(seed: UInt64(trials))
    let before = BinomialTable(trials: trials, share: rate)
    let after = BinomialTable(trials: trials, share: rate - drop)
    var found = Found()
    for run in 0..<count {
      let test = RateDrop(
        current: Proportion(successes: after.draw(using: &random), trials: trials),
        reference: Proportion(successes: before.draw(using: &random), trials: trials),
        margin: margin)
      let hasFailed = (test.p ?? 1) < 0.05 && test.isBeyondMargin
      if !hasFailed { found.green += 1 / Double(count) }
      if test.isShownToHold(alpha: 0.05) { found.proven += 1 / Double(count) }
      if run % 100 == 0 {
        // What the family says of it; without a proof it is green where its power is enough.
        let proof = family.judge([test], proofs: [0])[0].outcome
        #expect((proof == .passed) == test.isShownToHold(alpha: 0.05))
        #expect(proof != .noneShown)
        let chance = test.chanceToHold(drop: drop, alpha: 0.05, trials: trials)
        found.promised += 100 / Double(count) * chance
      }
    }
    return found
  }

  @Test(arguments: [(2_000, 0.6, 0.03), (800, 0.95, 0.02), (4_000, 0.3, 0.02)])
  func `a drop of the margin is seldom proven to be within it`(
    trials: Int, rate: Double, margin: Double
  ) {
    let found = runs(2_000, trials, rate, drop: margin, margin: margin)
    print("drop of the margin, \(trials) at \(rate): \(found)")
    // Without `prove` about half of these runs are green.
    #expect(found.green > 0.4)
    #expect(found.proven <= limit(2_000), "\(found)")
    #expect(abs(found.promised - 0.05) < 0.01)
  }

  @Test(arguments: [(2_000, 0.6, 0.03), (800, 0.95, 0.02)])
  func `no drop at all is proven as often as the plan says`(
    trials: Int, rate: Double, margin: Double
  ) {
    let found = runs(2_000, trials, rate, drop: 0, margin: margin)
    #expect(abs(found.proven - found.promised) < spread(found.promised, 2_000) + 0.03, "\(found)")
  }

  @Test func `the trials that a proof is said to need are enough`() throws {
    let test = RateDrop(
      current: Proportion(successes: 300, trials: 500),
      reference: Proportion(successes: 12_000, trials: 20_000), margin: 0.02)
    guard case .inconclusive(let missing?) = family.judge([test], proofs: [0])[0].outcome else {
      Issue.record("it should be inconclusive")
      return
    }
    let needed = test.trials + missing
    #expect(test.chanceToHold(drop: 0, alpha: 0.05, trials: needed) >= 0.8)
    #expect(test.chanceToHold(drop: 0, alpha: 0.05, trials: needed * 9 / 10) < 0.8)
    // Farrington and Manning's formula for these rates, with so large a reference.
    let normal = pow((1.6449 + 0.8416) / 0.02, 2) * 0.24
    #expect(abs(Double(needed) / (1 / (1 / normal - 1 / 20_000)) - 1) < 0.05, "\(needed)")
  }

  /// Days that differ: the margin is excluded with their variance.
  @Test(arguments: [0.0, 0.1])
  func `days that differ prove nothing more often`(deviation: Double) {
    var random = SplitMix64(seed: 12)
    func uniform() -> Double { (Double(random.next() >> 11) + 0.5) / Double(1 << 53) }
    func normal() -> Double { (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform()) }
    func day(_ day: Int, _ drop: Double) -> DayCounts {
      let own = 1 / (1 + exp(-log(1.5) - deviation * normal())) - drop
      let drawn = 2_000 * own + (2_000 * own * (1 - own)).squareRoot() * normal()
      return DayCounts(
        day: day, counts: Proportion(successes: Int(drawn.rounded()), trials: 2_000))
    }
    let count = 2_000
    var (atMargin, unchanged, promised) = (0, 0, 0.0)
    for run in 0..<count {
      let reference = (0..<28).map { day($0, 0) }
      let night = DailyDrop(current: [day(28, 0.05)], reference: reference, margin: 0.05)
      if night?.isShownToHold(alpha: 0.05) == true { atMargin += 1 }
      let healthy = DailyDrop(current: [day(28, 0)], reference: reference, margin: 0.05)
      if healthy?.isShownToHold(alpha: 0.05) == true { unchanged += 1 }
      if run % 50 == 0 {
        promised += 50 * (healthy?.chanceToHold(drop: 0, alpha: 0.05, trials: 2_000) ?? 0)
      }
    }
    let shares = (Double(atMargin) / Double(count), Double(unchanged) / Double(count))
    print("days differ by \(deviation): wrong \(shares.0), right \(shares.1) of \(promised)")
    #expect(shares.0 <= limit(count))
    #expect(abs(shares.1 - promised / Double(count)) < 0.05)
  }
}
