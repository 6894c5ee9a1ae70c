import ExperimentStatistics

/// A year of nights against four weeks that somebody accepted.
enum GateDeclines {
  static let alpha = 0.05

  static let healthy = Section(
    title: "Years in which a steady rate is ever called a slow decline",
    method: """
      365 nights after four weeks of a steady rate (60 % where no other is named), each judged by \
      `slow_decline: true` with a margin of zero. The chance that any of the nights fails may \
      be at most 5 %, or 10 % where days resemble their neighbours. "Ordinary test" is how often a test of all days since the baseline, at 5 % \
      every night, fails at least once.
      """,
    otherHeading: "ordinary test",
    settings: [200, 2_000, 10_000].flatMap { perDay in
      [0, 0.1, 0.2].flatMap { deviation in
        [28, 14].map { days in
          (DayWorld(peoplePerDay: perDay, deviation: deviation, weekend: -0.15), days)
        }
      }
    } + [(DayWorld(peoplePerDay: 50, rate: 0.1, deviation: 0.1), 28)]
      + [0.3, 0.6, 0.8].map {
        let world = DayWorld(
          peoplePerDay: 2_000, deviation: 0.1, weekend: -0.15, correlation: $0)
        return (world, 28)
      }
  ) { steady($0.0, days: $0.1) }

  private static func steady(_ world: DayWorld, days: Int) -> Row {
    let runs = 600
    var draws = Draws(seed: UInt64(world.peoplePerDay * 100 + days))
    var (failed, ordinary) = (0, 0)
    for run in 0..<runs {
      var world = world
      let reference = (0..<days).map { world.day(run % 7 + $0, &draws) }
      let year = (0..<365).map { world.day(run % 7 + days + $0, &draws) }
      if let p = SlowDecline(days: year, reference: reference, margin: 0)?.p, p <= alpha {
        failed += 1
      }
      // Weeks suffice to show what looking again and again does.
      let isOnce = stride(from: 7, through: 364, by: 7).contains { nights in
        let test = DailyDrop(
          current: Array(year.prefix(nights)), reference: reference, margin: 0)
        return test?.p.map { $0 < alpha } ?? false
      }
      if isOnce { ordinary += 1 }
    }
    let rate = world.rate == 0.6 ? "" : ", rate \(Section.percent(world.rate))"
    return Row(
      world.words + rate + "; after \(days) days",
      .atMost(world.correlation == 0 ? alpha : 0.1), runs: runs, count: failed,
      other: Double(ordinary) / Double(runs))
  }

  /// A decline, and the nights within which nine of ten are to be found.
  private struct Decline: Sendable {
    var perDay: Int
    var deviation: Double
    var drop: Double
    /// Over how many days it comes, in equal steps.
    var over: Int
    /// On which day after the baseline it begins.
    var from: Int
    var within: Int
  }

  static let delays = Section(
    title: "Slow declines that are found in time",
    method: """
      A decline begins some days after the baseline and stays. At least 90 % must be found within \
      the stated nights of its beginning.
      """,
    otherHeading: "within half of them",
    settings: [
      Decline(perDay: 2_000, deviation: 0, drop: 0.02, over: 1, from: 0, within: 20),
      Decline(perDay: 2_000, deviation: 0, drop: 0.05, over: 1, from: 0, within: 6),
      Decline(perDay: 2_000, deviation: 0.1, drop: 0.05, over: 1, from: 0, within: 20),
      Decline(perDay: 2_000, deviation: 0.1, drop: 0.05, over: 1, from: 100, within: 20),
      Decline(perDay: 2_000, deviation: 0.1, drop: 0.05, over: 60, from: 0, within: 60),
      Decline(perDay: 10_000, deviation: 0.05, drop: 0.02, over: 60, from: 0, within: 70),
      Decline(perDay: 2_000, deviation: 0.1, drop: 0.02, over: 1, from: 100, within: 130),
      Decline(perDay: 2_000, deviation: 0.2, drop: 0.05, over: 1, from: 100, within: 100),
    ]
  ) { found($0) }

  private static func found(_ decline: Decline) -> Row {
    let runs = 600
    let world = DayWorld(
      peoplePerDay: decline.perDay, deviation: decline.deviation, weekend: -0.15)
    var draws = Draws(seed: UInt64(decline.perDay + decline.over + decline.from))
    var (found, early) = (0, 0)
    for run in 0..<runs {
      var world = world
      let reference = (0..<28).map { world.day(run % 7 + $0, &draws) }
      let days = (0..<(decline.from + decline.within)).map { day -> DayCounts in
        let part = Double(max(0, day - decline.from + 1)) / Double(decline.over)
        return world.day(run % 7 + 28 + day, drop: decline.drop * min(1, part), &draws)
      }
      let test = SlowDecline(days: days, reference: reference, margin: 0)
      guard let night = test?.firstNight(alpha: alpha), let first = days.first else { continue }
      found += 1
      if night.day < first.day + decline.from + decline.within / 2 { early += 1 }
    }
    let shape = decline.over == 1 ? "at once" : "over \(decline.over) days"
    return Row(
      "\(decline.perDay) a day, sd \(decline.deviation), \(Section.percent(decline.drop)) \(shape)"
        + " from day \(decline.from + 1) on; within \(decline.within) nights",
      .atLeast(0.9), runs: runs, count: found, other: Double(early) / Double(runs))
  }
}
