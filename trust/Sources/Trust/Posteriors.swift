import ExperimentStatistics
import Foundation

/// Experiments whose true lifts spread as the declared prior says.
enum Posteriors {
  private static let prior = LiftPosterior.Prior(deviation: 0.08)
  private static let sizes = [(500, 0.4), (4_000, 0.4), (20_000, 0.05)]

  static let intervals = Section(
    title: "Credible intervals of lifts, with a declared prior",
    method: """
      The true lift of each experiment is drawn from the declared prior (log-normal around 0, \
      standard deviation 8 %). The 95 % credible interval must contain it. "Without prior" is how \
      often the confidence interval does so where its lift is among the twentieth that is largest: \
      the lifts that get talked about.
      """,
    otherHeading: "without prior, largest",
    settings: sizes
  ) { size in
    let runs = run(people: size.0, control: size.1)
    let covered = runs.count { $0.isCovered }
    let largest = runs.sorted { $0.seen > $1.seen }.prefix(runs.count / 20)
    return Row(
      "\(size.0) people a group, \(Section.percent(size.1))", .atLeast(0.95), runs: runs.count,
      count: covered, other: Double(largest.count { $0.isCoveredPlainly }) / Double(largest.count))
  }

  static let chances = Section(
    title: "Chances to beat the control, with a declared prior",
    method: """
      Of experiments whose stated chance is at least 80 %, or at most 20 %, found is the share in \
      which the variant is the better one, and promised the mean of the stated chances. "Uniform \
      prior" is what the Beta-binomial posterior without a declared prior states on the same \
      experiments.
      """,
    otherHeading: "uniform prior",
    settings: sizes.flatMap { size in [true, false].map { (size.0, size.1, $0) } }
  ) { people, control, isHigh in
    let stated = run(people: people, control: control).filter {
      isHigh ? $0.chance >= 0.8 : $0.chance <= 0.2
    }
    let bound = isHigh ? "80 % or more" : "20 % or less"
    return Row(
      "\(people) people a group, \(Section.percent(control)), \(bound)",
      .announced(stated.reduce(0) { $0 + $1.chance } / Double(stated.count)), runs: stated.count,
      count: stated.count { $0.isBetter },
      other: stated.reduce(0) { $0 + $1.uniform } / Double(stated.count))
  }

  private struct Run {
    var seen: Double
    var chance: Double
    var uniform: Double
    var isBetter: Bool
    var isCovered: Bool
    var isCoveredPlainly: Bool
  }

  private static func run(people: Int, control: Double) -> [Run] {
    var draws = Draws(seed: UInt64(people))
    return (0..<10_000).compactMap { _ in
      let lift = expm1(prior.deviation * draws.normal())
      let one = Proportion(
        successes: draws.binomial(people, control * (1 + lift)), trials: people)
      let other = Proportion(successes: draws.binomial(people, control), trials: people)
      let comparison = StratifiedComparison(treatment: one, control: other)
      guard let posterior = LiftPosterior.of(comparison, prior: prior).value,
        let interval = posterior.credibleInterval().value,
        let plain = comparison.relativeLift().value,
        let uniform = BetaBinomial.probabilityBetter(treatment: one, control: other).value
      else { return nil }
      return Run(
        seen: plain.estimate, chance: posterior.probabilityBetter, uniform: uniform,
        isBetter: lift > 0, isCovered: interval.contains(lift),
        isCoveredPlainly: plain.interval.contains(lift))
    }
  }
}
