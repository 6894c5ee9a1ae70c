internal import ExperimentStatistics
internal import FlowDefinition

/// What compares variants and outcomes, as rows of `metrics.csv`.
enum ComparisonRows {
  static func build(
    _ experiments: [ExperimentSummary], _ lifts: [ObservationalLift]
  ) -> [MetricRow] {
    experiments.flatMap(rows) + lifts.flatMap(rows)
  }

  static func build(_ durations: [DurationComparison], _ curves: [CurvePoint]) -> [MetricRow] {
    durations.flatMap(rows)
      + curves.map { point in
        MetricRow(
          slice: point.slice, metric: point.metric, step: DurationText.format(point.milliseconds),
          value: point.share, low: point.interval?.lower, high: point.interval?.upper,
          unit: .probability)
      }
  }

  /// Differences in seconds.
  private static func rows(_ comparison: DurationComparison) -> [MetricRow] {
    let slice = Slice(experiment: comparison.experiment, variant: comparison.variant)
    func difference(_ percent: Int, _ found: Estimate<EstimateWithInterval>) -> MetricRow {
      MetricRow(
        slice: slice, metric: comparison.metric.percentile(percent).compared(by: .difference),
        step: comparison.step,
        value: found.value.map { $0.estimate / 1000 },
        low: found.value.map { $0.interval.lower / 1000 },
        high: found.value.map { $0.interval.upper / 1000 }, unit: .seconds)
    }
    return [
      difference(50, comparison.median), difference(90, comparison.ninetieth),
    ]
  }

  private static func rows(_ summary: ExperimentSummary) -> [MetricRow] {
    var rows: [MetricRow] = []
    for arm in summary.arms where arm.share != nil {
      rows.append(
        MetricRow(
          slice: Slice(experiment: summary.id, variant: arm.variant), metric: .srmP,
          value: summary.sampleRatio.value?.pValue, unit: .probability))
    }
    for arm in summary.arms { rows += assignedRows(arm, summary) }
    for comparison in summary.comparisons where comparison.isRandomised {
      let slice = Slice(experiment: comparison.experiment, variant: comparison.variant)
      func row(
        _ how: MetricName.Comparison, _ value: Double?, _ interval: Interval? = nil,
        _ unit: MetricRow.Unit
      ) -> MetricRow {
        MetricRow(
          slice: slice, metric: comparison.metric.compared(by: how), step: comparison.step,
          value: value, low: interval?.lower, high: interval?.upper,
          level: comparison.intervalLevel, unit: unit)
      }
      let lift = comparison.lift.value
      let difference = comparison.difference.value
      rows += [
        row(.lift, lift?.estimate, lift?.interval, .ratio),
        row(.difference, difference?.estimate, difference?.interval, .points),
        row(.p, comparison.p, nil, .probability),
        row(.adjustedP, comparison.pAdjusted, nil, .probability),
        row(.probabilityBetter, comparison.probabilityBetter, nil, .probability),
      ]
    }
    for comparison in summary.values { rows += self.rows(comparison) }
    return rows
  }

  /// Amounts: the mean over everybody where the goal is counted among some, and what sets it apart;
  /// of what is not tested no p.
  private static func rows(_ comparison: ValueComparison) -> [MetricRow] {
    func row(
      _ how: MetricName.Comparison, _ value: Double?, _ interval: Interval? = nil,
      _ unit: MetricRow.Unit
    ) -> MetricRow {
      MetricRow(
        slice: Slice(experiment: comparison.experiment, variant: comparison.variant),
        metric: comparison.metric.compared(by: how), step: comparison.goal, value: value,
        low: interval?.lower, high: interval?.upper, level: comparison.intervalLevel, unit: unit)
    }
    let (difference, lift) = (comparison.difference.value, comparison.lift.value)
    return [
      row(.lift, lift?.estimate, lift?.interval, .ratio),
      row(.difference, difference?.estimate, difference?.interval, .amount),
    ]
      + (comparison.measure.isTested
        ? [
          row(.p, comparison.p, nil, .probability),
          row(.adjustedP, comparison.pAdjusted, nil, .probability),
        ] : [])
  }

  /// Everybody assigned, beside those who were exposed.
  private static func assignedRows(
    _ arm: ExperimentSummary.Arm, _ summary: ExperimentSummary
  ) -> [MetricRow] {
    guard let assigned = arm.assigned, let completion = arm.assignedCompletion else { return [] }
    let slice = Slice(experiment: summary.id, variant: arm.variant)
    var rows = [
      MetricRow(
        slice: slice, metric: .assigned, numerator: assigned, value: Double(assigned),
        unit: .persons),
      MetricRows.rate(
        slice, .completionRateAssigned, "all", numerator: completion.successes,
        denominator: completion.trials, interval: .wilson),
    ]
    if arm.share != nil {
      rows.append(
        MetricRow(
          slice: slice, metric: .srmPAssigned, value: summary.assignedRatio?.value?.pValue,
          unit: .probability))
    }
    return rows
  }

  private static func rows(_ lift: ObservationalLift) -> [MetricRow] {
    var rows = [
      MetricRow(
        slice: lift.slice, metric: lift.metric.compared(by: .observationalLift),
        value: lift.raw.value?.estimate, low: lift.raw.value?.interval.lower,
        high: lift.raw.value?.interval.upper, unit: .ratio)
    ]
    if let stratified = lift.stratified {
      rows.append(
        MetricRow(
          slice: lift.slice, metric: lift.metric.compared(by: .observationalLiftStratified),
          value: stratified.value?.estimate,
          low: stratified.value?.interval.lower, high: stratified.value?.interval.upper,
          unit: .ratio))
    }
    return rows
  }
}
