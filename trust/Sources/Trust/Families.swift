import ExperimentStatistics

/// Experiments of several metrics, planned for one effect among them.
enum Families {
  static let power = Section(
    title: "Effects that an experiment of several metrics is planned to show",
    method: """
      One of the metrics has the lift that is looked for, the others have none; the sample is the \
      one that `power --metrics` gives for 80 %, and Holm's procedure decides at 5 %. "Planned at \
      5 %" is how often the effect is shown by a sample that is planned for one metric.
      """,
    otherHeading: "planned at 5 %",
    settings: [1, 4, 12, 30]
  ) { row(of: $0) }

  private static func row(of count: Int) -> Row {
    let (control, treatment) = (0.4, 0.44)
    let runs = 4_000
    var draws = Draws(seed: UInt64(count))
    func size(_ alpha: Double) -> Int {
      Power.trialsNeeded(
        treatmentRate: treatment, controlRate: control, alpha: alpha, power: 0.8
      ).value?.control ?? 0
    }
    let planned = size(MultipleTesting.holm.plannedAlpha(0.05, comparisons: count))
    func shows(_ people: Int) -> Bool {
      let values = (0..<count).map { metric -> Double in
        let comparison = ProportionComparison(
          treatment: Proportion(
            successes: draws.binomial(people, metric == 0 ? treatment : control), trials: people),
          control: Proportion(successes: draws.binomial(people, control), trials: people))
        return comparison.scoreTest().value?.twoSidedP ?? 1
      }
      return MultipleTesting.holm.adjust(values)[0] < 0.05
    }
    let alone = size(0.05)
    let (shown, otherwise) = (0..<runs).reduce((0, 0)) { sums, _ in
      (sums.0 + (shows(planned) ? 1 : 0), sums.1 + (shows(alone) ? 1 : 0))
    }
    return Row(
      "\(count) metrics, \(planned) people a group", .atLeast(0.8), runs: runs, count: shown,
      other: Double(otherwise) / Double(runs))
  }
}
