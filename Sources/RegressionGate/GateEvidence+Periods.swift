internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

extension GateEvidenceSource {
  /// A variant against its control where the split changed: within the periods of one split
  /// (definitions 6.5). The numbers shown are the weighted rates that are compared.
  mutating func withinPeriods(
    _ item: GateCase, _ row: MetricRow, _ experiment: Experiment, _ margin: GateRule.Margin
  ) -> GateEvidence {
    let control = experiment.controlID
    guard
      let rate = RateDefinition.all(flow, analysis.slices.layout).first(where: {
        $0.metric == item.metric && $0.step == item.step
      })
    else {
      return GateEvidence(
        .invalid("the values of a goal are not counted by period of one split"), current: row)
    }
    let index = flow.experiments.firstIndex { $0.id == experiment.id } ?? 0
    let comparison = cells(index, item.slice.breakdown).comparison(
      of: rate, item.slice.variant, control, in: experiment)
    let isFlipped = item.rule.better == .lower
    guard let rates = comparison.rates else {
      return GateEvidence(
        .unknown("no period of one split has people with both variants yet"), current: row)
    }
    let points = margin.isRelative ? margin.amount * rates.control : margin.amount
    // Flipped, a share of the rate is no share of what is tested: the points are.
    guard
      let test = StratifiedDrop(
        isFlipped ? comparison.ofFailures : comparison,
        margin: isFlipped ? points : margin.amount, isRelative: margin.isRelative && !isFlipped,
        tuning: experiment.isSequential ? analysis.sequentialTuning : nil)
    else { return GateEvidence(.unknown("the number can't be compared"), current: row) }
    func weighted(_ variant: String, _ value: Double) -> MetricRow {
      var slice = item.slice
      slice.variant = variant
      return MetricRow(
        slice: slice, metric: item.metric, step: item.step, value: value, unit: row.unit)
    }
    var evidence = GateEvidence(
      .test(test), current: weighted(item.slice.variant, rates.treatment))
    evidence.reference = weighted(control, rates.control)
    evidence.referenceName = "control \(SafeText.name(control)), within the periods of one split,"
    evidence.margin = points
    return evidence
  }

  /// Summed once for all rules over one breakdown: there may be thousands.
  private mutating func cells(_ experiment: Int, _ breakdown: BreakdownKey) -> ExperimentCells {
    let place = CellsPlace(experiment: experiment, breakdown: breakdown)
    if let found = cellsOfPlaces[place] { return found }
    let cells = ExperimentCells(analysis.tally, experiment: experiment, breakdown: breakdown)
    cellsOfPlaces[place] = cells
    return cells
  }
}
