import Foundation
import Testing

@testable import ExperimentStatistics

@Suite("A rate with two levels")
struct RateJumpTests {
  private static func samples(
    _ rates: [Double], people: Int, scatter: Double = 0, _ random: inout SplitMix64
  ) -> [RateTrend.Sample] {
    rates.enumerated().map { place, rate in
      // Twelve uniform numbers less six: nearly a normal one.
      let noise = (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() }
      let odds = exp(log(rate / (1 - rate)) + scatter * noise)
      let chance = odds / (1 + odds)
      let successes = random.successes(of: people, chance: chance)
      return RateTrend.Sample(place: Double(place), successes: successes, trials: people)
    }
  }

  private static func logistic(_ odds: Double) -> Double { 1 / (1 + exp(-odds)) }

  @Test func `the place and both levels are found`() throws {
    let rates = Array(repeating: 0.6, count: 8) + Array(repeating: 0.45, count: 5)
    let exact = rates.enumerated().map {
      RateTrend.Sample(place: Double($0), successes: Int(400 * $1), trials: 400)
    }
    let jump = try #require(RateJump(exact))
    #expect(jump.index == 8 && jump.pValue < 1e-5)
    #expect(abs(jump.before - 0.6) < 1e-12 && abs(jump.after - 0.45) < 1e-12)
    // Two samples of the second level are enough, in a long series as well.
    let late = (0..<26).map {
      RateTrend.Sample(place: Double($0), successes: $0 < 24 ? 240 : 160, trials: 400)
    }
    #expect(RateJump(late)?.index == 24)
  }

  @Test func `lines, dips and few samples have no second level`() {
    func series(_ rates: [Double]) -> [RateTrend.Sample] {
      rates.enumerated().map {
        RateTrend.Sample(place: Double($0), successes: Int(1000 * $1), trials: 1000)
      }
    }
    #expect(RateJump(series((0..<13).map { 0.8 - 0.02 * Double($0) })) == nil)
    #expect(RateJump(series((0..<13).map { (6...7).contains($0) ? 0.2 : 0.6 })) == nil)
    #expect(RateJump(series([0.6, 0.6, 0.6, 0.4, 0.4])) == nil)
    #expect(RateJump(series(Array(repeating: 0.6, count: 13))) == nil)
    #expect(RateJump(series(Array(repeating: 0, count: 13))) == nil)
  }

  /// Of steady rates and of steady slopes at most 5 % are called a jump, also where weeks differ.
  @Test func `steady series are seldom called a jump`() {
    var random = SplitMix64(seed: 9)
    let runs = ProcessInfo.processInfo.environment["FIRSTMILE_SLOW"] == "1" ? 4000 : 400
    for (count, people) in [(6, 300), (8, 300), (13, 300), (26, 60)] {
      for slope in [0, 0.3, 0.6, 1.2] {
        for scatter in [0, 0.1, 0.2] {
          let rates = (0..<count).map {
            Self.logistic(0.4 - slope * (Double($0) / Double(count - 1) - 0.5))
          }
          let jumps = (0..<runs).count { _ in
            let found = RateJump(
              Self.samples(rates, people: people, scatter: scatter, &random))
            return found.map { $0.pValue <= 0.05 } ?? false
          }
          // 5 %, and three standard deviations of what so many runs show.
          let bound = 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()
          #expect(Double(jumps) / Double(runs) <= bound, "\(count) \(people) \(slope) \(scatter)")
        }
      }
    }
  }

  @Test func `jumps are found`() {
    var random = SplitMix64(seed: 10)
    let rates = (0..<13).map { $0 < 7 ? 0.6 : 0.45 }
    let found = (0..<200).count { _ in
      let jump = RateJump(Self.samples(rates, people: 300, &random))
      return jump.map { $0.pValue <= 0.05 && abs($0.index - 7) <= 1 } ?? false
    }
    #expect(found >= 160)
  }
}
