import ExperimentStatistics
import Foundation

/// Amounts a person: most people have none, those who have one have a skewed one.
enum Amounts {
  private struct Sums {
    var count = 0
    var sum = 0.0
    var squares = 0.0

    /// A share of people has an amount, exponential around 10 times `scale`.
    mutating func add(_ people: Int, payers: Double, scale: Double, _ draws: inout Draws) {
      count += people
      for _ in 0..<draws.binomial(people, payers) {
        let amount = -10 * scale * log(draws.uniform())
        sum += amount
        squares += amount * amount
      }
    }

    var mean: SampleMean {
      let n = Double(count)
      return SampleMean(
        count: count, mean: sum / n, variance: (squares - sum * sum / n) / (n - 1))
    }
  }

  static let once = Section(
    title: "Intervals of amounts a person",
    method: """
      Some people have an amount, exponentially distributed, and the others 0; the variant's \
      amounts are a fifth larger. The 95 % intervals of the difference (Welch) and of the lift \
      (Fieller) must contain the truth. Skewed amounts of few people fall short of 95 %, which is \
      why nothing is tested with fewer than 10 people with an amount in a group.
      """,
    settings: [true, false].flatMap { isLift in
      [(500, 0.05), (1_000, 0.2), (5_000, 0.05)].map { ($0.0, $0.1, isLift) }
    }
  ) { coverage(people: $0.0, payers: $0.1, isLift: $0.2) }

  private static func coverage(people: Int, payers: Double, isLift: Bool) -> Row {
    let runs = 4_000
    var draws = Draws(seed: UInt64(people) + (isLift ? 1 : 0))
    var covered = 0
    for _ in 0..<runs {
      var (treatment, control) = (Sums(), Sums())
      treatment.add(people, payers: payers, scale: 1.2, &draws)
      control.add(people, payers: payers, scale: 1, &draws)
      let comparison = MeanComparison(
        strata: [.init(treatment: treatment.mean, control: control.mean)])
      let interval = (isLift ? comparison.relativeLift() : comparison.difference()).value?.interval
      if interval?.contains(isLift ? 0.2 : 2 * payers) ?? true { covered += 1 }
    }
    return Row(
      "\(isLift ? "lift" : "difference"), \(people) people a group, \(Section.percent(payers))"
        + " with an amount", .atLeast(0.95), runs: runs, count: covered)
  }

  static let watched = Section(
    title: "Amounts a person that are watched every day",
    method: """
      Forty days of two groups without a difference; found is how often the always-valid \
      comparison shows one at 5 % on any of them. "Welch each day" is how often Welch's test does.
      """,
    otherHeading: "Welch each day",
    settings: [(50, 0.2), (250, 0.05)]
  ) { watch(perDay: $0.0, payers: $0.1) }

  private static func watch(perDay: Int, payers: Double) -> Row {
    let runs = 2_000
    var draws = Draws(seed: UInt64(perDay))
    var (shown, single) = (0, 0)
    for _ in 0..<runs {
      var (treatment, control) = (Sums(), Sums())
      var (isShown, isSingle) = (false, false)
      for _ in 0..<40 {
        treatment.add(perDay, payers: payers, scale: 1, &draws)
        control.add(perDay, payers: payers, scale: 1, &draws)
        let strata = [MeanComparison.Stratum(treatment: treatment.mean, control: control.mean)]
        let always = MeanComparison(strata: strata, sequential: SequentialTuning())
        if (always.pValue().value ?? 1) < 0.05 { isShown = true }
        if (MeanComparison(strata: strata).pValue().value ?? 1) < 0.05 { isSingle = true }
      }
      if isShown { shown += 1 }
      if isSingle { single += 1 }
    }
    return Row(
      "\(perDay) people a group and day, \(Section.percent(payers)) with an amount",
      .atMost(0.05), runs: runs, count: shown, other: Double(single) / Double(runs))
  }
}
