import ExperimentStatistics

/// Nights of a gate against a baseline of some weeks, where days differ.
enum GateNights {
  static let alpha = 0.05

  static let healthy = Section(
    title: "Nights that fail although nothing changed",
    method: """
      A completion rate of 60 % is held against a baseline of earlier days, with a margin of zero \
      and a level of 5 %. Each day's rate deviates at random (a normal effect on the log odds, \
      `sd`), and weekends differ by the stated log odds. "All days alike" is what a test gives \
      that takes every person as an independent draw.
      """,
    otherHeading: "all days alike",
    settings: [200, 2_000, 10_000].flatMap { perDay in
      [0, 0.05, 0.1, 0.2].flatMap { deviation in
        [(0.0, 28, 1), (-0.15, 28, 1), (-0.15, 14, 1), (-0.15, 56, 7)].map {
          (DayWorld(peoplePerDay: perDay, deviation: deviation, weekend: $0.0), $0.1, $0.2)
        }
      }
    }
  ) { row($0.0, days: $0.1, nights: $0.2) }

  static let neighbours = Section(
    title: "Nights that fail although nothing changed, where days resemble their neighbours",
    method: """
      As above, with weekends that differ by -0.15, and effects of which each is correlated with \
      that of the day before (`neighbours`): bad weather or a campaign lasts for some days. The \
      nights come two weeks after the baseline. How much days resemble each other is estimated \
      from the baseline, and few weeks show a strong resemblance only in part: at most 11 % are \
      promised for a level of 5 %.
      """,
    otherHeading: "all days alike",
    settings: [500, 2_000].flatMap { perDay in
      [0.3, 0.6, 0.8].flatMap { correlation in
        [(28, 1), (28, 7), (56, 7)].map {
          (
            DayWorld(
              peoplePerDay: perDay, deviation: 0.1, weekend: -0.15, correlation: correlation),
            $0.0, $0.1
          )
        }
      }
    }
  ) { row($0.0, days: $0.1, nights: $0.2, gap: 14, promised: 0.11) }

  private static func row(
    _ world: DayWorld, days: Int, nights: Int, gap: Int = 0, promised: Double = alpha
  ) -> Row {
    let runs = 10_000
    var draws = Draws(seed: UInt64(world.peoplePerDay * 100 + days + nights))
    var (failed, alike) = (0, 0)
    for run in 0..<runs {
      var world = world
      let first = run % 7
      let reference = (0..<days).map { world.day(first + $0, &draws) }
      for day in 0..<gap { _ = world.day(first + days + day, &draws) }
      let current = (0..<nights).map { world.day(first + days + gap + $0, &draws) }
      if let p = DailyDrop(current: current, reference: reference, margin: 0)?.p, p < alpha {
        failed += 1
      }
      let drop = RateDrop(
        current: .sum(current.map(\.counts)), reference: .sum(reference.map(\.counts)), margin: 0)
      if let p = drop.p, p < alpha { alike += 1 }
    }
    let isSaid = world.weekend != 0 && world.correlation == 0
    return Row(
      world.words + (isSaid ? ", weekends \(world.weekend)" : "")
        + "; \(nights == 1 ? "1 night" : "\(nights) nights") after \(days) days",
      .atMost(promised), runs: runs, count: failed, other: Double(alike) / Double(runs))
  }

  static let months = Section(
    title: "Months in which any night fails although nothing changed",
    method: """
      Thirty nights, each of which judges the last seven days against one baseline of four weeks, \
      with `nights: 30` at 5 %: the chance that any of the thirty fails, at most 12 % where days \
      resemble their neighbours. "One night's alpha" is the gate without `nights`.
      """,
    otherHeading: "one night's alpha",
    settings: [200, 2_000].flatMap { perDay in
      [0, 0.1, 0.2].map { DayWorld(peoplePerDay: perDay, deviation: $0, weekend: -0.15) }
        + [0.3, 0.6, 0.8].map {
          DayWorld(peoplePerDay: perDay, deviation: 0.1, weekend: -0.15, correlation: $0)
        }
    }
  ) { month($0) }

  private static func month(_ world: DayWorld) -> Row {
    let runs = 2_000
    var draws = Draws(seed: UInt64(world.peoplePerDay + 7))
    var (failed, single) = (0, 0)
    for run in 0..<runs {
      var world = world
      let days = (0..<64).map { world.day(run % 7 + $0, &draws) }
      let reference = Array(days.prefix(28))
      let smallest = (0..<30).compactMap { night in
        DailyDrop(current: Array(days[28 + night..<35 + night]), reference: reference, margin: 0)?.p
      }.min()
      if let smallest, smallest < alpha / 30 { failed += 1 }
      if let smallest, smallest < alpha { single += 1 }
    }
    return Row(
      world.words, .atMost(world.correlation == 0 ? alpha : 0.12), runs: runs,
      count: failed, other: Double(single) / Double(runs))
  }

  static let proofs = Section(
    title: "Proofs that nothing is worse",
    method: """
      One night after 28 days with `prove: true` and a margin of 8 points. Where the truth is \
      worse by the margin a proof is an error, at most in 5 % of runs; where nothing is worse it \
      is found as often as `check --plan` announces.
      """,
    settings: [200, 2_000].flatMap { perDay in
      [0, 0.1, 0.2].flatMap { deviation in
        [0.08, 0].map { (DayWorld(peoplePerDay: perDay, deviation: deviation), $0) }
      }
    }
  ) { proof($0.0, drop: $0.1) }

  private static func proof(_ world: DayWorld, drop: Double) -> Row {
    let runs = 4_000
    var draws = Draws(seed: UInt64(world.peoplePerDay + Int(1_000 * drop)))
    var (proven, announced) = (0, 0.0)
    for run in 0..<runs {
      var world = world
      let reference = (0..<28).map { world.day(run % 7 + $0, &draws) }
      let night = [world.day(run % 7 + 28, drop: drop, &draws)]
      guard let test = DailyDrop(current: night, reference: reference, margin: 0.08) else {
        continue
      }
      if test.isShownToHold(alpha: alpha) { proven += 1 }
      if drop == 0 { announced += test.chanceToHold(drop: 0, alpha: alpha, trials: test.trials) }
    }
    return Row(
      "\(world.peoplePerDay) a day, sd \(world.deviation), "
        + (drop > 0 ? "worse by the margin" : "nothing worse"),
      drop > 0 ? .atMost(alpha) : .announced(announced / Double(runs)), runs: runs, count: proven)
  }

  static let families = Section(
    title: "Runs of several rules that fail although nothing changed",
    method: """
      A run of several rules on independent rates, each against a baseline seven times as large, \
      judged together by Holm's procedure at 5 %, as `check` does. "Each on its own" is the share \
      of runs in which a rule would fail without the correction.
      """,
    otherHeading: "each on its own",
    settings: [(1, 200), (1, 2_000), (7, 200), (7, 2_000), (20, 200), (20, 2_000)]
  ) { family(of: $0.0, trials: $0.1) }

  private static func family(of count: Int, trials: Int) -> Row {
    let runs = 5_000
    var draws = Draws(seed: UInt64(count * 10_000 + trials))
    var (failed, alone) = (0, 0)
    for _ in 0..<runs {
      let tests = (0..<count).map { index -> any DropTest in
        let rate = 0.05 + 0.9 * (Double(index) + 0.5) / Double(count)
        return RateDrop(
          current: Proportion(successes: draws.binomial(trials, rate), trials: trials),
          reference: Proportion(successes: draws.binomial(7 * trials, rate), trials: 7 * trials),
          margin: 0)
      }
      // What `DropFamily` calls failed; it also plans what passing would take, which is slow.
      let values = tests.map { $0.isBeyondMargin ? $0.p ?? 1 : 1 }
      if MultipleTesting.holm.adjust(values).contains(where: { $0 < alpha }) { failed += 1 }
      if values.contains(where: { $0 < alpha }) { alone += 1 }
    }
    return Row(
      "\(count) rules, \(trials) people a night", .atMost(alpha), runs: runs, count: failed,
      other: Double(alone) / Double(runs))
  }

  static let plans = Section(
    title: "Drops that a plan promises to catch",
    method: """
      One night after 28 days on which the stated points of a rate of 60 % are missing. Promised \
      is the mean chance that `check --plan` states from each run's own baseline.
      """,
    settings: [
      (0.0, 0.0, 0.02), (0, 0, 0.04), (0.05, 0, 0.04), (0.1, 0, 0.05), (0.2, 0, 0.1),
      (0.2, 0, 0.15), (0.1, 0.3, 0.05), (0.1, 0.6, 0.05), (0.2, 0.6, 0.15),
    ].map {
      let world = DayWorld(
        peoplePerDay: 2_000, deviation: $0.0, weekend: -0.15, correlation: $0.1)
      return (world, $0.2)
    }
  ) { plan($0.0, drop: $0.1) }

  private static func plan(_ world: DayWorld, drop: Double) -> Row {
    let runs = 4_000
    var draws = Draws(seed: UInt64(10_000 * drop + 100 * world.deviation))
    var (failed, announced) = (0, 0.0)
    for run in 0..<runs {
      var world = world
      let first = run % 7
      let reference = (0..<28).map { world.day(first + $0, &draws) }
      let night = [world.day(first + 28, drop: drop, &draws)]
      guard let test = DailyDrop(current: night, reference: reference, margin: 0) else { continue }
      if let p = test.p, p < alpha { failed += 1 }
      announced += test.chanceToFail(drop: drop, alpha: alpha)
    }
    return Row(
      "\(world.words), \(Section.percent(drop)) missing",
      .announced(announced / Double(runs)), runs: runs, count: failed)
  }
}
