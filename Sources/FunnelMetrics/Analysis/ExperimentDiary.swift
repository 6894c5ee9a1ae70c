public import ExperimentStatistics
public import FlowDefinition
internal import FunnelEngine

/// What each interim analysis of an experiment saw: the difference of the rate that decides, among
/// the people who had started by the end of each cohort.
///
/// People are in a row by when they started, so a row is the same in every later report, and no
/// store need have kept the reports of those days.
public struct ExperimentDiary: Sendable {
  /// One interim analysis.
  public struct Entry: Sendable {
    /// The last cohort that is in it, by its name.
    public var cohort: String
    /// People of the variant and of the control whose outcome is known.
    public var people: Int
    /// Valid however often one looks.
    public var difference: Estimate<EstimateWithInterval>
    /// Valid for a single look.
    public var single: Estimate<EstimateWithInterval>
    /// The planned people are those up to here.
    public var isPlannedEnd: Bool
  }

  /// The id of the variant that is held against the control.
  public var variant: String
  /// The name of the rate that decides, as in `metrics.csv`.
  public var metric: MetricName
  /// The goal, permission …; `all` where the metric has none.
  public var step: String
  /// Of the experiment's plan; `nil` without one.
  public var plannedPeople: Int?
  /// The earliest first, the last over everybody.
  public var entries: [Entry]

  /// More rows say no more to a reader: of many cohorts some are passed over.
  static let maximumEntries = 8
}

extension ExperimentDiary {
  /// What the entries of an experiment have in common.
  package struct Source {
    package let experiment: Experiment
    package let cohorts: [(name: String, cells: ExperimentCells)]
    package let width: Int
    let plannedEnd: String?
    package let level: Double
    let singleLevel: Double
    package let tuning: SequentialTuning
  }

  /// `nil` where there is but one cohort, and so no earlier look.
  package init?(_ source: Source, _ rate: RateDefinition, variant: String) {
    let experiment = source.experiment
    guard source.cohorts.count > 1 else { return nil }
    self.variant = variant
    metric = rate.metric
    step = rate.step
    plannedPeople = experiment.plannedPeople
    let shown = Self.shown(source)
    entries = shown.map { place in
      let cells = ExperimentCells(
        joining: source.cohorts[...place].map(\.cells), source.width)
      let comparison = cells.comparison(of: rate, variant, experiment.controlID, in: experiment)
      let total = comparison.total
      return Entry(
        cohort: source.cohorts[place].name, people: total.treatment.trials + total.control.trials,
        difference: ConfidenceSequence.difference(
          comparison, level: source.level, tuning: source.tuning),
        single: comparison.difference(level: source.singleLevel),
        isPlannedEnd: source.cohorts[place].name == source.plannedEnd)
    }
  }

  /// The places of the cohorts that have a row: evenly, from the last backwards, and the planned
  /// end.
  private static func shown(_ source: Source) -> [Int] {
    let last = source.cohorts.count - 1
    let stride = source.cohorts.count / maximumEntries + 1
    let end = source.cohorts.firstIndex { $0.name == source.plannedEnd }
    return source.cohorts.indices.filter { (last - $0) % stride == 0 || $0 == end }
  }
}
