import ExperimentStatistics

/// How often 95 % intervals of an experiment contain the truth.
enum Intervals {
  static let fixed = Section(
    title: "Intervals read once",
    method: """
      Two groups of the stated size; the 95 % intervals of the difference and of the lift must \
      contain the truth. Score intervals are no conservative bounds: for small groups and rates \
      near 0 or 1 single settings lie some tenths of a point beside 95 %.
      """,
    settings: [true, false].flatMap { isLift in
      [(100, 0.1, 0.1), (300, 0.6, 0.6), (300, 0.6, 0.68), (2_000, 0.05, 0.06)].map {
        ($0.0, $0.1, $0.2, isLift)
      }
    }
  ) { coverage(trials: $0.0, control: $0.1, treatment: $0.2, isLift: $0.3) }

  private static func coverage(
    trials: Int, control: Double, treatment: Double, isLift: Bool
  ) -> Row {
    let runs = 20_000
    var draws = Draws(seed: UInt64(trials) + (isLift ? 1 : 0))
    var covered = 0
    for _ in 0..<runs {
      let comparison = ProportionComparison(
        treatment: Proportion(successes: draws.binomial(trials, treatment), trials: trials),
        control: Proportion(successes: draws.binomial(trials, control), trials: trials))
      let interval = (isLift ? comparison.relativeLift() : comparison.difference()).value?.interval
      let truth = isLift ? treatment / control - 1 : treatment - control
      if interval?.contains(truth) ?? true { covered += 1 }
    }
    let name = isLift ? "lift" : "difference"
    return Row(
      "\(name), \(trials) people a group, \(Section.percent(control)) and"
        + " \(Section.percent(treatment))", .atLeast(0.95), runs: runs, count: covered)
  }

  static let always = Section(
    title: "Always-valid intervals read every day",
    method: """
      Sixty days of two groups. The 95 % confidence sequences must contain the truth on every one \
      of the sixty days at once. "Read once" is how often the ordinary interval does so.
      """,
    otherHeading: "read once",
    settings: [true, false].flatMap { isLift in
      [(60, 0.1, 0.1), (100, 0.5, 0.5), (100, 0.5, 0.55), (500, 0.02, 0.025)].map {
        ($0.0, $0.1, $0.2, isLift)
      }
    }
  ) { sequence(perDay: $0.0, control: $0.1, treatment: $0.2, isLift: $0.3) }

  private static func sequence(
    perDay: Int, control: Double, treatment: Double, isLift: Bool
  ) -> Row {
    let (runs, days) = (5_000, 60)
    var draws = Draws(seed: UInt64(perDay) + (isLift ? 1 : 0))
    let truth = isLift ? treatment / control - 1 : treatment - control
    var (covered, once) = (0, 0)
    for _ in 0..<runs {
      var (own, base) = (0, 0)
      var (always, fixed) = (true, true)
      for day in 1...days {
        own += draws.binomial(perDay, treatment)
        base += draws.binomial(perDay, control)
        let one = Proportion(successes: own, trials: day * perDay)
        let other = Proportion(successes: base, trials: day * perDay)
        let comparison = ProportionComparison(treatment: one, control: other)
        let sequence =
          isLift
          ? ConfidenceSequence.relativeLift(treatment: one, control: other)
          : ConfidenceSequence.difference(treatment: one, control: other)
        let plain = isLift ? comparison.relativeLift() : comparison.difference()
        if let interval = sequence.value?.interval, !interval.contains(truth) { always = false }
        if let interval = plain.value?.interval, !interval.contains(truth) { fixed = false }
      }
      if always { covered += 1 }
      if fixed { once += 1 }
    }
    return Row(
      "\(isLift ? "lift" : "difference"), \(perDay) people a group and day,"
        + " \(Section.percent(control)) and \(Section.percent(treatment))", .atLeast(0.95),
      runs: runs, count: covered, other: Double(once) / Double(runs))
  }
}
