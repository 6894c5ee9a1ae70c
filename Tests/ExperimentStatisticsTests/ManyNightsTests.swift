import ExperimentStatistics
import Testing

/// A month of nights against one baseline.
@Suite struct ManyNightsTests {
  private let nights = 30

  /// How many months have a failure although nothing changed. As `DropFamily` judges, without the
  /// power of tests that don't fail.
  private func alarms(alpha: Double, months: Int, seed: UInt64) -> Double {
    var random = SplitMix64(seed: seed)
    let tables = [0.6, 0.85, 0.3].map { BinomialTable(trials: 2_000, share: $0) }
    var alarms = 0
    for _ in 0..<months {
      let before = tables.map {
        Proportion(successes: $0.draw(using: &random), trials: 2_000)
      }
      var hasFailed = false
      for _ in 0..<nights {
        let tests = zip(tables, before).map { table, before in
          RateDrop(
            current: Proportion(successes: table.draw(using: &random), trials: 2_000),
            reference: before, margin: 0.001)
        }
        let values = tests.map { $0.isBeyondMargin ? $0.p ?? 1 : 1 }
        if MultipleTesting.holm.adjust(values).contains(where: { $0 < alpha }) { hasFailed = true }
      }
      if hasFailed { alarms += 1 }
    }
    return Double(alarms) / Double(months)
  }

  @Test func `a month whose nights share alpha seldom alarms`() {
    let months = 500
    let shared = alarms(alpha: 0.05 / Double(nights), months: months, seed: 81)
    let plain = alarms(alpha: 0.05, months: months, seed: 81)
    print("months with an alarm: alpha shared \(shared), alpha a night \(plain)")
    #expect(shared <= 0.05 + 3 * (0.05 * 0.95 / Double(months)).squareRoot())
    #expect(plain > 0.3)
  }

  /// What a plan says of a month is an upper bound of it.
  @Test func `the bound of a month is thirty times that of a night`() {
    let family = DropFamily(alpha: 0.05 / Double(nights), power: 0.8, correction: .holm)
    let tests = [0.6, 0.85, 0.3].map { rate in
      RateDrop(
        current: Proportion(successes: Int(2_000 * rate), trials: 2_000),
        reference: Proportion(successes: Int(2_000 * rate), trials: 2_000), margin: 0.001)
    }
    let bound = 30 * family.falseAlarmRate(tests)
    #expect(bound > 0.03 && bound < 0.055, "\(bound)")
    #expect(alarms(alpha: family.alpha, months: 300, seed: 82) <= bound + 0.04)
  }
}
