import Foundation
import Testing

@testable import ExperimentStatistics

/// A line through weeks of which some have many more people than others, as after a launch.
@Suite struct RateTrendTests {
  static let sizes: [[Int]] = [
    [10_000, 500, 500, 500, 500, 500, 500, 500], [500, 500, 500, 500, 500, 500, 500, 10_000],
    [5_000, 500, 5_000, 500, 5_000, 500, 5_000, 500], [200, 400, 800, 1_600, 3_200, 6_400],
    Array(repeating: 1_000, count: 8),
  ]

  private static func weeks(
    _ sizes: [Int], slope: Double = 0, deviation: Double, _ random: inout SplitMix64
  ) -> [RateTrend.Sample] {
    sizes.enumerated().map { place, size in
      // Twelve uniform numbers less six: nearly a normal one.
      let noise = (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() }
      let chance = 1 / (1 + exp(-slope * Double(place) - deviation * noise))
      let drawn = (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() }
      let successes =
        Double(size) * chance + (Double(size) * chance * (1 - chance)).squareRoot() * drawn
      return RateTrend.Sample(
        place: Double(place), successes: min(size, max(0, Int(successes.rounded()))), trials: size)
    }
  }

  /// With one factor on the variance of chance up to 22 % of these have a trend. Two levels are
  /// looked for at every place, and are a jump only where a line is clearly worse.
  @Test(arguments: sizes, [0, 0.05, 0.2])
  func `steady rates move as seldom as promised`(sizes: [Int], deviation: Double) {
    var random = SplitMix64(seed: 6)
    let runs = 3_000
    var (trends, jumps) = (0, 0)
    for _ in 0..<runs {
      let weeks = Self.weeks(sizes, deviation: deviation, &random)
      if let line = RateTrend(weeks), line.pValue < 0.05 { trends += 1 }
      if let jump = RateJump(weeks), jump.pValue < 0.05 { jumps += 1 }
    }
    print("\(sizes), sd \(deviation): trends \(trends), jumps \(jumps) of \(runs)")
    let limit = (0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot()) * Double(runs)
    #expect(Double(trends) <= limit && Double(jumps) <= limit)
  }

  @Test func `a decline after a launch is found`() {
    var random = SplitMix64(seed: 8)
    let sizes = [6_000] + Array(repeating: 1_000, count: 11)
    let found = (0..<300).count { _ in
      let weeks = Self.weeks(sizes, slope: -0.06, deviation: 0.05, &random)
      return RateTrend(weeks).map { $0.pValue < 0.05 && $0.slope < 0 } ?? false
    }
    #expect(found > 270, "\(found)")
  }
}
