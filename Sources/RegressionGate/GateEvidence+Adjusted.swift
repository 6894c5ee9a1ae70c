internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

extension GateEvidenceSource {
  /// One side's row of a metric in a slice.
  typealias Rows = (_ metric: MetricName, _ step: String, _ slice: Slice) -> MetricRow?

  /// A rate within the values of a dimension, so that a change of the mix is no change of the rate.
  /// The numbers shown are the weighted rates that are compared.
  ///
  /// Against a baseline whose days are known, both weighted rates are taken as those of as many
  /// trials as say as much, with the variance between days of the whole.
  func adjusted(
    _ item: GateCase, _ row: MetricRow, _ dimension: String, against other: Slice,
    _ margin: GateRule.Margin, name: String, _ baseline: Baseline?
  ) -> GateEvidence {
    let isFlipped = item.rule.better == .lower
    let rows: Rows =
      baseline.map { baseline in { baseline.row($0, step: $1, in: $2) } }
      ?? { analysis.row($0, step: $1, in: $2) }
    let others = baseline?.breakdowns(in: other) ?? analysis.breakdowns(in: other)
    let own = analysis.breakdowns(in: item.slice)
    let keys = (own + others.filter { !own.contains($0) }).filter { $0.dimension == dimension }
    func proportion(_ slice: Slice, _ key: BreakdownKey, _ rows: Rows) -> Proportion {
      var slice = slice
      slice.breakdown = key
      let found = rows(item.metric, item.step, slice)
      return found.flatMap { self.proportion($0, isFlipped: isFlipped) }
        ?? Proportion(successes: 0, trials: 0)
    }
    let comparison = StratifiedComparison(
      strata: keys.map { key in
        ProportionComparison(
          treatment: proportion(item.slice, key) { analysis.row($0, step: $1, in: $2) },
          control: proportion(other, key, rows))
      })
    let title = "\(name), with one mix of \(SafeText.name(dimension)),"
    guard let rates = comparison.rates, let whole = comparison.asOneStratum else {
      return GateEvidence(
        .unknown("no value of \(SafeText.name(dimension)) has people on both sides"), current: row)
    }
    let before = isFlipped ? 1 - rates.control : rates.control
    let points = margin.isRelative ? margin.amount * before : margin.amount
    // Flipped, a share of the rate is no share of what is tested: the points are.
    let (amount, isRelative) = isFlipped ? (points, false) : (margin.amount, margin.isRelative)
    let experiment = flow.experiments.first { $0.id == item.slice.experiment }
    let isSequential = baseline == nil && experiment?.isSequential == true
    var evidence = GateEvidence(.unknown("the number can't be compared"), current: row)
    if let test = StratifiedDrop(
      comparison, margin: amount, isRelative: isRelative,
      tuning: isSequential ? analysis.sequentialTuning : nil)
    {
      evidence.judging = .test(test)
    }
    if let baseline {
      let found = drop(
        item, whole.treatment, whole.control, baseline, margin: amount, isRelative: isRelative,
        isPart: true)
      if found.test is DailyDrop { evidence.judging = .test(found.test) }
      evidence.days = found.days
    }
    func weighted(_ slice: Slice, _ value: Double) -> MetricRow {
      MetricRow(
        slice: slice, metric: item.metric, step: item.step, value: isFlipped ? 1 - value : value,
        unit: row.unit)
    }
    evidence.current = weighted(item.slice, rates.treatment)
    evidence.reference = weighted(other, rates.control)
    evidence.referenceName = title
    evidence.margin = points
    return evidence
  }
}
