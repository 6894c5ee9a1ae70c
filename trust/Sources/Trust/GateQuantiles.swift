import ExperimentStatistics

/// Nights of a quantile of durations against a baseline's.
enum GateQuantiles {
  static let alpha = 0.05

  /// A quantile, and how many people have a duration on both sides.
  private struct Setting: Sendable {
    var share: Double
    var now: Int
    var before: Int
    /// By how much the night is slower.
    var factor = 1.0

    var words: String {
      "p\(Int(share * 100)), \(now) people against \(before)"
        + (factor > 1 ? ", \(Int((factor * 100 - 100).rounded())) % slower" : "")
    }
  }

  static let healthy = Section(
    title: "Nights whose quantile fails although nothing changed",
    method: """
      Log-normal durations, some of one distribution on both sides, a margin of zero and a level \
      of 5 %. "Normal limit" is the test by the standardised share above the other side's quantile.
      """,
    otherHeading: "normal limit",
    settings: [0.5, 0.9, 0.99].flatMap { share in
      [(120, 120), (300, 300), (300, 120), (2_000, 8_000)].map {
        Setting(share: share, now: $0.0, before: $0.1)
      }
    }
  ) { row($0, runs: 6_000) }

  static let plans = Section(
    title: "Slower nights that a plan promises to catch",
    method: """
      As above, with a night that is slower by the stated share. Promised is the mean chance that \
      `check --plan` states, which reads the durations' shape off the night's own people.
      """,
    settings: [
      Setting(share: 0.5, now: 200, before: 600, factor: 1.15),
      Setting(share: 0.5, now: 200, before: 600, factor: 1.3),
      Setting(share: 0.9, now: 200, before: 600, factor: 1.15),
      Setting(share: 0.9, now: 200, before: 600, factor: 1.3),
      Setting(share: 0.9, now: 120, before: 120, factor: 1.3),
      Setting(share: 0.9, now: 1_000, before: 1_000, factor: 1.1),
    ]
  ) { row($0, runs: 4_000) }

  private static func row(_ setting: Setting, runs: Int) -> Row {
    var draws = Draws(seed: UInt64(setting.now + setting.before) + UInt64(1_000 * setting.share))
    let isHealthy = setting.factor == 1
    var (failed, announced, limit) = (0, 0.0, 0)
    for run in 0..<runs {
      let before = durations(setting.before, times: 1, &draws)
      let base =
        QuantileRise(
          sample: before, share: setting.share, limit: 1, referenceTrials: nil, margin: 0
        ).estimate ?? 0
      let test = QuantileRise(
        sample: durations(setting.now, times: setting.factor, &draws), share: setting.share,
        limit: base, referenceTrials: setting.before, margin: 0)
      if let p = test.p, p < alpha, test.isBeyondMargin { failed += 1 }
      if isHealthy {
        if isBeyondNormalLimit(test, base) { limit += 1 }
      } else if run % 4 == 0 {
        announced += 4 * test.chanceToFail(drop: base * (setting.factor - 1), alpha: alpha)
      }
    }
    return Row(
      setting.words, isHealthy ? .atMost(alpha) : .announced(announced / Double(runs)),
      runs: runs, count: failed, other: isHealthy ? Double(limit) / Double(runs) : nil)
  }

  private static func isBeyondNormalLimit(_ test: QuantileRise, _ base: Double) -> Bool {
    let expected = 1 - test.share
    let sizes = 1 / Double(test.trials) + 1 / Double(test.referenceTrials ?? 1)
    let above = Double(test.sample.count(above: base)) / Double(test.trials)
    let deviation = (expected * (1 - expected) * sizes).squareRoot()
    return test.isBeyondMargin && (above - expected) / deviation > 1.6448536269514722
  }

  static func durations(
    _ count: Int, times factor: Double, _ draws: inout Draws
  ) -> ValueCounts {
    ValueCounts(
      (0..<count).map { _ in (factor * draws.duration(median: 60, spread: 0.8), 1) })
  }
}
