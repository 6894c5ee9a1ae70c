import ExperimentStatistics

/// Two reports of other weeks, beside each other.
enum Periods {
  private static let alpha = 0.05

  static let alarms = Section(
    title: "Periods that are called different and are not",
    method: """
      A completion rate of 60 % over some weeks, and over the weeks that follow. Each day's rate \
      deviates at random (`sd`, on the log odds), and resembles that of the day before where \
      `neighbours` says so. `compare` tests at 5 % with the variance between weeks, which it takes \
      as independent: at most 15 % are promised for days that resemble their neighbours. "All weeks \
      alike" is what a test gives that takes every person as an independent draw.
      """,
    otherHeading: "all weeks alike",
    settings: [200, 2_000].flatMap { perDay in
      [(0, 0), (0.1, 0), (0.2, 0), (0.1, 0.5), (0.1, 0.8)].flatMap { deviation, correlation in
        [(4, 4), (8, 4)].map {
          (
            DayWorld(
              peoplePerDay: perDay, deviation: deviation, weekend: -0.15, correlation: correlation),
            $0.0, $0.1
          )
        }
      }
    }
  ) { row($0.0, before: $0.1, after: $0.2) }

  private static func row(_ world: DayWorld, before: Int, after: Int) -> Row {
    let runs = 5_000
    var draws = Draws(seed: UInt64(world.peoplePerDay * 10 + before))
    var (shown, alike) = (0, 0)
    for run in 0..<runs {
      var world = world
      let weeks = (0..<before + after).map { week in
        Proportion.sum((0..<7).map { world.day(run % 7 + 7 * week + $0, &draws).counts })
      }
      let (early, late) = (Array(weeks.prefix(before)), Array(weeks.suffix(after)))
      if let p = PeriodComparison(before: early, after: late)?.twoSidedP, p < alpha { shown += 1 }
      let plain = ProportionComparison(treatment: .sum(late), control: .sum(early)).scoreTest()
      if let p = plain.value?.twoSidedP, p < alpha { alike += 1 }
    }
    return Row(
      world.words + "; \(before) and \(after) weeks",
      .atMost(world.correlation == 0 ? alpha : 0.15), runs: runs, count: shown,
      other: Double(alike) / Double(runs))
  }
}
