import ExperimentStatistics

/// Changes of people's mix, and where a drop is.
enum GateMixes {
  static let alpha = 0.05

  /// People who come with four values of a dimension, on most of which other shares finish.
  private static let people = [3_000, 1_500, 800, 200]
  private static let rates = [0.8, 0.6, 0.5, 0.3]

  static let attribution = Section(
    title: "Values that are named although all fell alike",
    method: """
      Four values of a dimension with 200 to 3,000 people a side and rates of 30 to 80 % all fall \
      alike: by points, by a share of those who finish, or by a share of those who do not. A value \
      is named that departs from the rest (`SliceDeparture`), by Holm's correction over all. \
      "Largest is named" is what naming the value with the largest change amounts to.
      """,
    otherHeading: "largest is named",
    settings: ["by 6 points", "by 12 % of those who finish", "more fail by 15 % of successes"]
  ) { attribution($0) }

  private static func attribution(_ scale: String) -> Row {
    let runs = 6_000
    var draws = Draws(seed: UInt64(scale.count))
    var named = 0
    for _ in 0..<runs {
      let pairs = zip(people, rates).map { trials, rate in
        let after =
          switch scale {
          case "by 6 points": rate - 0.06
          case "by 12 % of those who finish": 0.88 * rate
          default: rate - 0.15 * (1 - rate)
          }
        return ProportionComparison(
          treatment: Proportion(successes: draws.binomial(trials, after), trials: trials),
          control: Proportion(successes: draws.binomial(trials, rate), trials: trials))
      }
      let values = pairs.indices.map { index in
        SliceDeparture(pairs[index], rest: pairs.indices.filter { $0 != index }.map { pairs[$0] })?
          .lessP ?? 1
      }
      if MultipleTesting.holm.adjust(values).contains(where: { $0 < alpha }) { named += 1 }
    }
    return Row(scale, .atMost(alpha), runs: runs, count: named, other: 1)
  }

  static let adjusted = Section(
    title: "Adjusted rules that fail although only the mix changed",
    method: """
      The rates within four values of a dimension stay, and fewer people come with the values of \
      high rates: half as many of the first, twice as many of the others. A rule with `adjust`, a \
      margin of zero and a level of 5 %, one night against four weeks. "Crude" is the rule without \
      `adjust`.
      """,
    otherHeading: "crude",
    settings: [0.05, 0.25, 1].flatMap { size in [0, 0.1].map { (size, $0) } }
  ) { adjusted(size: $0.0, deviation: $0.1) }

  private static func adjusted(size: Double, deviation: Double) -> Row {
    let runs = 3_000
    var draws = Draws(seed: UInt64(1_000 * size + 10 * deviation))
    var (failed, crude) = (0, 0)
    func night(_ shift: [Double]) -> [Proportion] {
      let effect = deviation * draws.normal()
      return people.indices.map { index in
        let trials = Int(size * shift[index] * Double(people[index]))
        let share = DayWorld.moved(rates[index], by: effect)
        return Proportion(successes: draws.binomial(trials, share), trials: trials)
      }
    }
    for _ in 0..<runs {
      let before = (0..<28).map { _ in night([1, 1, 1, 1]) }
      let now = night([0.5, 2, 2, 2])
      let comparison = StratifiedComparison(
        strata: people.indices.map { index in
          ProportionComparison(treatment: now[index], control: .sum(before.map { $0[index] }))
        })
      let days = before.enumerated().map { DayCounts(day: $0, counts: .sum($1)) }
      let today = DayCounts(day: 28, counts: .sum(now))
      if let whole = comparison.asOneStratum,
        let test = DailyDrop(
          current: [today], reference: days, slice: (whole.treatment, whole.control), margin: 0),
        let p = test.p, p < alpha
      {
        failed += 1
      }
      let plain = DailyDrop(current: [today], reference: days, margin: 0)
      if let p = plain?.p, p < alpha { crude += 1 }
    }
    return Row(
      "\(Int(5_500 * size)) people a day, sd \(deviation)", .atMost(alpha), runs: runs,
      count: failed, other: Double(crude) / Double(runs))
  }
}
