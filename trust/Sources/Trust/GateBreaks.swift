import ExperimentStatistics

/// On which day a metric broke.
enum GateBreaks {
  private struct Setting: Sendable {
    var perDay: Int
    var deviation: Double
    var drop: Double
    /// The break's day after the baseline, and how many days are known in all.
    var from: Int
    var days: Int
    /// Of a day's effect and that of the day before.
    var correlation = 0.0
  }

  static let coverage = Section(
    title: "Intervals for the day on which a metric broke",
    method: """
      A rate of 60 % drops on one day after a baseline of four weeks. Where the night that judges \
      the last seven days fails, the 95 % interval of `--when` must contain that day. "Within two \
      days" is how often the likeliest day lies that near.
      """,
    otherHeading: "within two days",
    settings: [
      Setting(perDay: 2_000, deviation: 0, drop: 0.02, from: 14, days: 28),
      Setting(perDay: 2_000, deviation: 0, drop: 0.05, from: 14, days: 28),
      Setting(perDay: 2_000, deviation: 0.1, drop: 0.05, from: 14, days: 28),
      Setting(perDay: 2_000, deviation: 0.1, drop: 0.05, from: 3, days: 10),
      Setting(perDay: 2_000, deviation: 0.1, drop: 0.05, from: 80, days: 90),
      Setting(perDay: 2_000, deviation: 0.2, drop: 0.1, from: 14, days: 28),
      Setting(perDay: 200, deviation: 0.1, drop: 0.1, from: 14, days: 28),
      Setting(perDay: 200, deviation: 0, drop: 0.05, from: 14, days: 28),
      Setting(perDay: 2_000, deviation: 0.1, drop: 0.05, from: 14, days: 28, correlation: 0.4),
      Setting(perDay: 2_000, deviation: 0.1, drop: 0.05, from: 14, days: 28, correlation: 0.8),
      Setting(perDay: 500, deviation: 0.1, drop: 0.1, from: 14, days: 42, correlation: 0.6),
    ]
  ) { row($0) }

  private static func row(_ setting: Setting) -> Row {
    let world = DayWorld(
      peoplePerDay: setting.perDay, deviation: setting.deviation, weekend: -0.15,
      correlation: setting.correlation)
    var draws = Draws(seed: UInt64(setting.perDay + setting.from + setting.days))
    let runs = 3_000
    var (asked, covered, near) = (0, 0, 0)
    for run in 0..<runs {
      var world = world
      let first = run % 7
      let reference = (0..<28).map { world.day(first + $0, &draws) }
      let days = (0..<setting.days).map { day in
        world.day(first + 28 + day, drop: day < setting.from ? 0 : setting.drop, &draws)
      }
      let test = DailyDrop(current: Array(days.suffix(7)), reference: reference, margin: 0)
      guard let p = test?.p, p < 0.05 else { continue }
      asked += 1
      let truth = first + 28 + setting.from
      guard let found = ChangePoint(days: days, reference: reference, level: 0.95) else {
        continue
      }
      if found.earliest <= truth, truth <= found.latest { covered += 1 }
      if (found.day - truth).magnitude <= 2 { near += 1 }
    }
    return Row(
      "\(world.words), \(Section.percent(setting.drop)) on day"
        + " \(setting.from + 1) of \(setting.days)", .atLeast(0.95), runs: asked, count: covered,
      other: Double(near) / Double(max(1, asked)))
  }
}
