import ExperimentStatistics

/// Experiments whose effect may differ between people.
enum Interactions {
  private struct World: Sendable {
    let name: String
    let people: Int
    /// Of the twenty-four pairs of a metric and a dimension, in how many the effect differs.
    let differing: Int
    let rate: Double
    /// The treatment's rate over the control's, where it doesn't differ.
    let ratio: Double
  }

  static let discoveries = Section(
    title: "Effects that are said to differ between people, and do not",
    method: """
      Twenty-four tests of interaction of one experiment (8 metrics, 3 dimensions with 2, 4 and 8 \
      values whose rates differ), with Benjamini and Hochberg's procedure at 5 %. Found is the \
      share of false ones among what is shown, in the mean over experiments; an experiment that \
      shows nothing has none. Where the effect differs, half of the values have none and the \
      others twice its size. "Shown" is the share of such effects that are.
      """,
    otherHeading: "shown",
    settings: [
      World(name: "none differs", people: 2_000, differing: 0, rate: 0.4, ratio: 1),
      World(name: "none differs, all rise", people: 8_000, differing: 0, rate: 0.4, ratio: 1.2),
      World(name: "none differs, rare", people: 8_000, differing: 0, rate: 0.03, ratio: 1.2),
      World(name: "3 of 24 differ", people: 8_000, differing: 3, rate: 0.4, ratio: 1.2),
      World(name: "12 of 24 differ", people: 8_000, differing: 12, rate: 0.4, ratio: 1.2),
    ]
  ) { row($0) }

  private static func row(_ world: World) -> Row {
    let runs = 3_000
    var draws = Draws(seed: UInt64(world.people + world.differing * 7 + Int(100 * world.rate)))
    var (wrong, shown) = (0.0, 0)
    for _ in 0..<runs {
      var values: [Double] = []
      for test in 0..<24 {
        let strata = [2, 4, 8][test % 3]
        let differs = test < world.differing
        let comparisons = (0..<strata).map { place -> StratifiedComparison in
          let people = world.people / strata / 2
          let rate = world.rate * (0.7 + 0.6 * Double(place) / Double(strata - 1))
          let ratio = differs ? (place % 2 == 0 ? 1 : 2 * world.ratio - 1) : world.ratio
          return StratifiedComparison(
            treatment: Proportion(
              successes: draws.binomial(people, rate * ratio), trials: people),
            control: Proportion(successes: draws.binomial(people, rate), trials: people))
        }
        values.append(EffectHeterogeneity(comparisons).test().value?.pValue ?? 1)
      }
      let found = MultipleTesting.benjaminiHochberg.adjust(values).enumerated()
        .filter { $0.element < 0.05 }
      let mistaken = found.count { $0.offset >= world.differing }
      if !found.isEmpty { wrong += Double(mistaken) / Double(found.count) }
      shown += found.count - mistaken
    }
    let share = Double(shown) / Double(runs * max(1, world.differing))
    return Row(
      "\(world.name), \(world.people) people", .atMost(0.05), runs: runs,
      count: Int(wrong.rounded()), other: world.differing > 0 ? share : nil)
  }
}
