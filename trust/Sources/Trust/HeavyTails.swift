import ExperimentStatistics
import Foundation

/// Revenue: one in fifty pays, log-normal amounts (logarithms around 2.5 with a standard deviation
/// of 1.5), of which the largest hundredth is a seventh of all.
enum HeavyTails {
  private static let payers = 0.02
  private static let middle = 2.5
  private static let spread = 1.5

  private struct Setting: Sendable {
    var treatment: Int
    var control: Int
    /// The quantile of all payers together at which amounts are capped.
    var share: Double

    var name: String {
      "\(treatment) and \(control) people, capped at \(Section.percent(share))"
    }
  }

  private static let settings = [
    Setting(treatment: 2_500, control: 2_500, share: 0.95),
    Setting(treatment: 5_000, control: 5_000, share: 0.99),
    Setting(treatment: 25_000, control: 25_000, share: 0.99),
    Setting(treatment: 5_000, control: 20_000, share: 0.95),
    Setting(treatment: 20_000, control: 80_000, share: 0.99),
  ]

  private static func amounts(_ people: Int, scale: Double, _ draws: inout Draws) -> [Double] {
    (0..<draws.binomial(people, payers)).map { _ in
      scale * exp(middle + spread * draws.normal())
    }
  }

  private static func mean(_ amounts: [Double], _ people: Int) -> SampleMean {
    let n = Double(people)
    let sum = amounts.reduce(0, +)
    let squares = amounts.reduce(0) { $0 + $1 * $1 }
    return SampleMean(
      count: people, mean: sum / n, variance: (squares - sum * sum / n) / (n - 1))
  }

  /// Both groups' amounts compared, as they are or with one cap for both; and that cap.
  private struct Draw {
    let plain: MeanComparison
    let capped: MeanComparison

    init(_ setting: Setting, scale: Double, _ draws: inout Draws) {
      let treatment = amounts(setting.treatment, scale: scale, &draws)
      let control = amounts(setting.control, scale: 1, &draws)
      let pooled = (treatment + control).sorted()
      let rank = Int((setting.share * Double(pooled.count)).rounded(.up))
      let cap = pooled.isEmpty ? 0 : pooled[max(1, rank) - 1]
      func compare(_ map: (Double) -> Double) -> MeanComparison {
        MeanComparison(strata: [
          .init(
            treatment: mean(treatment.map(map), setting.treatment),
            control: mean(control.map(map), setting.control))
        ])
      }
      plain = compare { $0 }
      capped = compare { min($0, cap) }
    }
  }

  static let alarms = Section(
    title: "Capped amounts that are shown to differ and do not",
    method: """
      One in fifty people pays, a log-normal amount with a standard deviation of 1.5 on the scale \
      of logarithms, in both groups alike. Amounts are capped at a quantile of the payers of both \
      groups together; found is how often Welch's test at 5 % shows a difference. "Uncapped" is \
      how often it does so of the amounts as they are. Groups of unequal size need a lower cap as \
      long as the smaller one has few payers: at 99 % one of 5,000 people beside one of 20,000 \
      shows a difference in 6.6 % of experiments.
      """,
    otherHeading: "uncapped", settings: settings
  ) { alarms($0) }

  private static func alarms(_ setting: Setting) -> Row {
    let runs = 6_000
    var draws = Draws(seed: UInt64(setting.treatment) + UInt64(1_000 * setting.share))
    var (shown, plain) = (0, 0)
    for _ in 0..<runs {
      let draw = Draw(setting, scale: 1, &draws)
      if (draw.capped.pValue().value ?? 1) < 0.05 { shown += 1 }
      if (draw.plain.pValue().value ?? 1) < 0.05 { plain += 1 }
    }
    return Row(
      setting.name, .atMost(0.05), runs: runs, count: shown,
      other: Double(plain) / Double(runs))
  }

  static let intervals = Section(
    title: "Intervals of capped amounts",
    method: """
      Payers as above, and the variant's amounts are a fifth larger. The 95 % interval of the \
      difference of capped means must contain that of all people, capped at the quantile of all \
      people. "Uncapped" is how often the interval of the amounts as they are contains their own \
      difference, which a cap doesn't estimate.
      """,
    otherHeading: "uncapped", settings: settings
  ) { coverage($0) }

  private static func coverage(_ setting: Setting) -> Row {
    let runs = 6_000
    let scale = 1.2
    var draws = Draws(seed: UInt64(setting.control) + UInt64(1_000 * setting.share) + 7)
    let cap = trueCap(setting, scale)
    let truth = cappedMean(scale, cap) - cappedMean(1, cap)
    let plainTruth = cappedMean(scale, .infinity) - cappedMean(1, .infinity)
    var (covered, plain) = (0, 0)
    for _ in 0..<runs {
      let draw = Draw(setting, scale: scale, &draws)
      if draw.capped.difference().value?.interval.contains(truth) ?? true { covered += 1 }
      if draw.plain.difference().value?.interval.contains(plainTruth) ?? true { plain += 1 }
    }
    return Row(
      setting.name, .atLeast(0.95), runs: runs, count: covered,
      other: Double(plain) / Double(runs))
  }

  private static func normal(_ z: Double) -> Double { erfc(-z / 2.0.squareRoot()) / 2 }

  /// A person's mean, with amounts that are at most the cap.
  private static func cappedMean(_ scale: Double, _ cap: Double) -> Double {
    let center = middle + log(scale)
    let whole = exp(center + spread * spread / 2)
    guard cap.isFinite else { return payers * whole }
    let z = (log(cap) - center) / spread
    return payers * (whole * normal(z - spread) + cap * normal(-z))
  }

  /// The quantile of all payers, by bisection.
  private static func trueCap(_ setting: Setting, _ scale: Double) -> Double {
    let weight = Double(setting.treatment) / Double(setting.treatment + setting.control)
    var (low, high) = (middle - 10 * spread, middle + 10 * spread)
    for _ in 0..<200 {
      let logarithm = (low + high) / 2
      let share =
        weight * normal((logarithm - middle - log(scale)) / spread)
        + (1 - weight) * normal((logarithm - middle) / spread)
      if share < setting.share { low = logarithm } else { high = logarithm }
    }
    return exp(low)
  }
}
