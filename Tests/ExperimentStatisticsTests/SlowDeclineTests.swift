import ExperimentStatistics
import Foundation
import Testing

/// Nights after an accepted baseline, judged together however many they are.
@Suite struct SlowDeclineTests {
  private static let counts = [
    (6100, 10000), (5950, 10000), (6080, 10100), (5810, 9800), (6310, 10300), (5930, 9900),
    (6040, 10000), (6020, 10000), (6150, 10000), (5760, 9500), (6120, 10000), (5900, 10000),
    (6150, 10200), (6601, 11000), (5900, 10000), (5850, 10000), (5980, 10100), (5700, 9800),
    (6010, 10300), (5800, 9900), (5840, 10000), (5820, 10000), (5880, 10000),
  ]
  private static let days = counts.enumerated().map { day, count in
    DayCounts(day: day, counts: Proportion(successes: count.0, trials: count.1))
  }

  /// By numeric integration over the standard deviation and the decline, with the weekdays' rates
  /// projected out by matrices (numpy and scipy's `dblquad`).
  @Test func `evidence is the ratio of marginal likelihoods`() throws {
    let test = try #require(
      SlowDecline(
        days: Array(Self.days.dropFirst(14)), reference: Array(Self.days.prefix(14)), margin: 0))
    #expect(abs(test.variation.variance / 7.539818539891914e-05 - 1) < 1e-9)
    let expected = [2: 2.825911240551159, 6: 91.23196484083657, 8: 382.50043331838356]
    for (night, evidence) in expected {
      #expect(abs(test.nights[night].evidence / evidence - 1) < 1e-7, "\(test.nights[night])")
    }
    #expect(test.nights[8].firstDay == 14 && abs(test.p * 382.50043331838356 - 1) < 1e-7)
  }

  @Test func `a decline stays shown however well later nights do`() throws {
    func day(_ day: Int, _ percent: Int) -> DayCounts {
      let wobble = [0, 2, -1, 1, -2, 1, -1][(day * 3 + day / 7) % 7]
      return DayCounts(
        day: day, counts: Proportion(successes: 10 * percent + 3 * wobble, trials: 1_000))
    }
    let reference = (0..<28).map { day($0, 60) }
    let fallen = (28..<49).map { day($0, 55) }
    let test = try #require(SlowDecline(days: fallen, reference: reference, margin: 0.02))
    let shown = try #require(test.firstNight(alpha: 0.05))
    #expect(test.p < 0.05 && shown.day < 42 && shown.firstDay == 28)
    #expect(abs(shown.drop - 0.05) < 0.01)
    let recovered = fallen + (49..<140).map { day($0, 60) }
    let later = try #require(SlowDecline(days: recovered, reference: reference, margin: 0.02))
    #expect(later.p <= test.p && later.firstNight(alpha: 0.05) == shown)
    // Five points are not beyond a margin of ten.
    let wide = try #require(SlowDecline(days: fallen, reference: reference, margin: 0.1))
    #expect(wide.p == 1 && wide.firstNight(alpha: 0.05) == nil)
    let steady = try #require(
      SlowDecline(days: (28..<140).map { day($0, 60) }, reference: reference, margin: 0))
    #expect(steady.p > 0.05)
    let better = try #require(
      SlowDecline(days: (28..<49).map { day($0, 70) }, reference: reference, margin: 0))
    #expect(better.p == 1 && better.worst == nil)
  }

  @Test func `days without people and short references say nothing`() {
    let empty = DayCounts(day: 14, counts: Proportion(successes: 0, trials: 0))
    #expect(SlowDecline(days: [empty], reference: Array(Self.days.prefix(14)), margin: 0) == nil)
    #expect(
      SlowDecline(days: [Self.days[14]], reference: Array(Self.days.prefix(13)), margin: 0) == nil)
    let all = (0..<28).map {
      DayCounts(day: $0, counts: Proportion(successes: 100, trials: 100))
    }
    let test = SlowDecline(
      days: [DayCounts(day: 28, counts: Proportion(successes: 0, trials: 100))], reference: all,
      margin: 0)
    #expect(test?.nights.allSatisfy { $0.evidence.isFinite } == true)
  }

  /// `script/trust` simulates more worlds and longer.
  @Test func `half a year of a steady rate is seldom called a decline`() {
    var random = SplitMix64(seed: 19)
    func uniform() -> Double { (Double(random.next() >> 11) + 0.5) / Double(1 << 53) }
    func day(_ day: Int) -> DayCounts {
      let normals = (0..<2).map { _ in
        (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
      }
      let share = 1 / (1 + exp(-0.4 - 0.1 * normals[0] + (day % 7 == 2 ? 0.2 : 0)))
      let drawn = 1_000 * share + (1_000 * share * (1 - share)).squareRoot() * normals[1]
      return DayCounts(day: day, counts: Proportion(successes: Int(drawn), trials: 1_000))
    }
    let runs = 150
    var failed = 0
    for _ in 0..<runs {
      let days = (0..<208).map(day)
      let test = SlowDecline(
        days: Array(days.dropFirst(28)), reference: Array(days.prefix(28)), margin: 0)
      if let p = test?.p, p <= 0.05 { failed += 1 }
    }
    #expect(Double(failed) / Double(runs) <= 0.05 + 3 * (0.05 * 0.95 / Double(runs)).squareRoot())
  }
}
