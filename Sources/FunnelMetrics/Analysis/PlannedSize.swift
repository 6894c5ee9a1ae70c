internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// An experiment that is looked at every day until a planned number of people has entered, and is
/// decided then with the intervals of a single look (definitions 6.14).
///
/// Alpha is spent once, by ``AlphaSpending``.
/// The look at the end is one look only if its people are the same in each later report: those of
/// the first cohorts that hold the planned number, whatever comes after.
struct PlannedSize {
  /// How many people are to enter, of all variants together.
  let people: Int
  /// How many have.
  let entered: Int
  /// The last cohort of the planned people; `nil` until they have entered.
  let lastCohort: String?
  private let cells: ExperimentCells?
  private let enteredCounter: Int

  /// `nil` where no size is planned.
  init?(_ table: SliceTable, _ tally: Tally, experiment index: Int) {
    let experiment = table.flow.experiments[index]
    guard let people = experiment.plannedPeople, experiment.isSequential else { return nil }
    self.people = people
    enteredCounter = table.layout[.entered]
    let names = Set(experiment.variants.map(\.id))
    let cohorts = ExperimentCells.values(of: BreakdownKey.cohort, tally, experiment: index)
    var (entered, first, parts) = (0, 0, [ExperimentCells]())
    var last: String?
    for cohort in cohorts {
      let own = cohort.cells.sum { $0.isCounted && names.contains($0.assignedVariant ?? "") }
      entered += own[enteredCounter]
      guard last == nil else { continue }
      first += own[enteredCounter]
      parts.append(cohort.cells)
      // People may still enter with a cohort whose days aren't all in the data.
      if first >= people, !tally.partialCohorts.contains(cohort.name) { last = cohort.name }
    }
    self.entered = entered
    lastCohort = last
    cells = last == nil ? nil : ExperimentCells(joining: parts, tally.layout.count)
  }

  /// A rate among the planned people; `nil` until all of them have entered and the time that the
  /// rate takes is over for each.
  func comparison(
    of rate: RateDefinition, _ variant: String, _ control: String, in experiment: Experiment
  ) -> StratifiedComparison? {
    guard let cells else { return nil }
    let everybody = cells.sum {
      $0.isCounted && [variant, control].contains($0.assignedVariant ?? "")
    }
    guard everybody[rate.denominator] == everybody[enteredCounter] else { return nil }
    return cells.comparison(of: rate, variant, control, in: experiment)
  }

  /// How many more people a variant and the control are to have, by the last declared split.
  func missing(_ variant: String, in experiment: Experiment) -> Power.SampleSize {
    let split = experiment.splits.last ?? []
    let all = split.reduce(0, +)
    func part(_ place: Int?) -> Int {
      guard let place, split.indices.contains(place), all > 0 else { return 0 }
      return Int((Double(max(0, people - entered)) * split[place] / all).rounded(.up))
    }
    return Power.SampleSize(
      treatment: part(experiment.variants.firstIndex { $0.id == variant }),
      control: part(experiment.control))
  }
}
