import ExperimentStatistics

/// Experiments that are looked at every day and decided at a planned size.
enum Watched {
  private static let alpha = 0.05
  private static let days = 40

  static let falseAlarms = Section(
    title: "Experiments that are watched and decided at a planned size: false alarms",
    method: """
      Two groups of one rate are looked at on forty days: before the last by the always-valid \
      sequence, on the last, when the planned people have entered, by the test of a single look. \
      Found is how often any of the looks shows a difference at 5 %. "Test each day" is what the \
      test of a single look does when it is read on each day.
      """,
    otherHeading: "test each day",
    settings: [(10, 0.3), (50, 0.6), (250, 0.05)]
  ) { row(perDay: $0.0, control: $0.1, treatment: $0.1, .atMost(alpha)) }

  static let power = Section(
    title: "Experiments that are watched and decided at a planned size: effects shown",
    method: """
      The planned size is the one at which the look at the end shows the effect in 80 % of \
      experiments. "Sequence alone" is how often the always-valid sequence at 5 % shows it up to \
      then.
      """,
    otherHeading: "sequence alone",
    settings: [(0.3, 0.36), (0.6, 0.63), (0.05, 0.06)]
  ) { control, treatment in
    let size =
      Power.trialsNeeded(
        treatmentRate: treatment, controlRate: control,
        alpha: alpha * AlphaSpending.plannedShare, power: 0.8
      ).value?.control ?? 0
    return row(
      perDay: (size + days - 1) / days, control: control, treatment: treatment, .atLeast(0.8))
  }

  private static func row(
    perDay: Int, control: Double, treatment: Double, _ promise: Row.Promise
  ) -> Row {
    let runs = 5_000
    var draws = Draws(seed: UInt64(perDay) + UInt64(1_000 * treatment))
    let planned = 2 * perDay * days
    let tuning = SequentialTuning(
      trials: planned, level: 1 - AlphaSpending.watchedShare * alpha)
    let (isNull, alone) = (control == treatment, SequentialTuning(trials: planned))
    var (shown, otherwise) = (0, 0)
    for _ in 0..<runs {
      var (own, base) = (0, 0)
      var (isShown, isOther) = (false, false)
      for day in 1...days {
        own += draws.binomial(perDay, treatment)
        base += draws.binomial(perDay, control)
        let one = Proportion(successes: own, trials: day * perDay)
        let other = Proportion(successes: base, trials: day * perDay)
        let single =
          ProportionComparison(treatment: one, control: other).scoreTest().value?.twoSidedP ?? 1
        let always =
          ConfidenceSequence.pValue(treatment: one, control: other, tuning: tuning).value ?? 1
        let p =
          day == days
          ? single / AlphaSpending.plannedShare : always / AlphaSpending.watchedShare
        if p < alpha { isShown = true }
        let reference =
          isNull
          ? single
          : ConfidenceSequence.pValue(treatment: one, control: other, tuning: alone).value ?? 1
        if reference < alpha { isOther = true }
      }
      if isShown { shown += 1 }
      if isOther { otherwise += 1 }
    }
    let rates =
      isNull
      ? Section.percent(control)
      : "\(Section.percent(control)) and \(Section.percent(treatment))"
    return Row(
      "\(perDay) people a group and day, \(rates)", promise, runs: runs, count: shown,
      other: Double(otherwise) / Double(runs))
  }
}
