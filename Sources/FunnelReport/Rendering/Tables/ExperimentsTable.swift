internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// `experiments.csv`: the split, each variant against its control, and, labelled as observational,
/// those who finished against those who skipped.
struct ExperimentsTable {
  private let analysis: Analysis

  init(_ analysis: Analysis) { self.analysis = analysis }

  func table() -> CSVTable {
    var table = CSVTable(
      Slice.columns + [
        "basis", "compared", "with", "metric", "step", "numerator", "denominator", "rate",
        "with_numerator", "with_denominator", "with_rate", "difference", "difference_ci_low",
        "difference_ci_high", "lift", "lift_ci_low", "lift_ci_high", "interval_level", "p",
        "p_adjusted", "fisher_p", "probability_better", "verdict", "more_persons_needed",
        "expected_loss", "smallest_detectable_lift", "e_value", "intervals", "role", "margin",
      ])
    for summary in analysis.experiments {
      for cells in shares(summary) { table.add(cells) }
      for comparison in summary.comparisons { table.add(cells(comparison, in: summary)) }
      for value in summary.values { table.add(cells(value, in: summary)) }
      for found in summary.effectDifferences {
        for part in found.parts { table.add(cells(part, of: found)) }
      }
    }
    for comparison in analysis.durations {
      for row in cells(comparison) { table.add(row) }
    }
    for lift in analysis.observationalLifts {
      let all = ProportionComparison(treatment: lift.finished, control: lift.skipped)
      table.add(cells(lift, "observational: people chose", all, lift.raw))
      if let stratified = lift.stratified, let alike = lift.alike {
        table.add(cells(lift, "observational: people chose; stratified", alike, stratified))
      }
    }
    return table
  }

  /// The arms against the declared split; all who entered, the immature too.
  private func shares(_ summary: ExperimentSummary) -> [[CSVTable.Cell]] {
    let declared = summary.arms.filter { $0.share != nil }.reduce(0) { $0 + $1.entered }
    let everybody = analysis.slices.count(.all, analysis.slices.layout[.entered])
    func row(
      _ variant: String, _ metric: String, _ count: Int, of total: Int, share: Double?,
      p: Double?, _ verdict: String
    ) -> [CSVTable.Cell] {
      let rate = Proportion(successes: count, trials: total).estimate
      let before: [CSVTable.Cell] = [
        .text("assignment"), .text(variant), .text(share == nil ? "" : "declared split"),
        .text(metric), .text("all"),
        .count(count), .count(total), .number(rate), .empty, .empty, .number(share),
      ]
      let blanks = [CSVTable.Cell](repeating: .empty, count: 7)
      return Slice(experiment: summary.id, variant: variant).cells + before + blanks + [
        .number(p), .empty, .empty, .empty, .text(verdict),
      ]
    }
    let p = summary.sampleRatio.value?.pValue
    let assignedP = summary.assignedRatio?.value?.pValue
    func verdict(_ p: Double?) -> String {
      p.map { $0 < ExperimentDoubt.sampleRatioAlpha ? "mismatch" : "as declared" } ?? ""
    }
    var rows = summary.arms.map { arm in
      arm.share == nil
        ? row(
          arm.variant, "undeclared_variant", arm.entered, of: everybody, share: nil, p: nil, "")
        : row(
          arm.variant, "sample_ratio", arm.entered, of: declared, share: arm.share, p: p,
          verdict(p))
    }
    rows += summary.arms.map {
      row(
        $0.variant, "contaminated", $0.contaminated, of: everybody, share: nil, p: nil, "")
    }
    rows.append(
      row(
        VariantState.contaminated([]).label, "contaminated", summary.contaminated, of: everybody,
        share: nil, p: nil, ""))
    rows.append(
      row(
        VariantState.unassigned.label, "unassigned", summary.unassigned, of: everybody, share: nil,
        p: nil, ""))
    if summary.outside > 0 {
      rows.append(
        row(
          VariantState.outside.label, "outside_experiment", summary.outside, of: everybody,
          share: nil, p: nil, ""))
    }
    let assigned = summary.arms.reduce(0) { $0 + ($1.share == nil ? 0 : $1.assigned ?? 0) }
    rows += summary.arms.compactMap { arm in
      guard let count = arm.assigned, arm.share != nil else { return nil }
      return row(
        arm.variant, "assigned", count, of: assigned, share: arm.share, p: assignedP,
        verdict(assignedP))
    }
    return rows
  }

  private func cells(
    _ comparison: MetricComparison, in summary: ExperimentSummary
  ) -> [CSVTable.Cell] {
    let verdict = VerdictText(comparison)
    let word =
      summary.doubts.first.map { "no verdict: \($0.name)" } ?? verdict.word
    return Slice(experiment: comparison.experiment, variant: comparison.variant).cells + [
      .text(
        (comparison.isRandomised ? "randomised" : "among some: not randomised")
          + (comparison.stratification.map { "; stratified by \($0.dimensions.listed)" } ?? "")
          + (comparison.clustering.map { "; by \($0.name)" } ?? "")),
      .text(comparison.variant), .text(comparison.control), .text(comparison.metric.rawValue),
      .text(comparison.step),
    ] + cells(comparison.treatmentRate, comparison.comparedRates.treatment)
      + cells(comparison.controlRate, comparison.comparedRates.control)
      + cells(comparison.difference.value) + cells(comparison.lift.value)
      + [
        .number(comparison.difference.value == nil ? nil : comparison.intervalLevel),
        .number(comparison.p), .number(comparison.pAdjusted), .number(comparison.fisherP),
        .number(comparison.probabilityBetter), .text(word), .count(verdict.missingPersons),
        .number(comparison.expectedLoss), .number(comparison.smallestDetectableLift), .empty,
        .text(
          comparison.phase?.name ?? (comparison.isSequential ? "always valid" : "single look")),
        .text(comparison.role.name ?? ""), .number(comparison.role.margin),
      ]
  }

  /// Amounts a person or an event: `rate` and `with_rate` are the means.
  private func cells(
    _ value: ValueComparison, in summary: ExperimentSummary
  ) -> [CSVTable.Cell] {
    let verdict =
      summary.doubts.first.map { "no verdict: \($0.name)" }
      ?? value.isHigher.map { $0 ? "higher" : "lower" }
      ?? (value.measure == .perEvent
        ? "not randomised" : value.p == nil ? "no verdict" : "none shown")
    return Slice(experiment: value.experiment, variant: value.variant).cells + [
      .text(value.measure == .perEvent ? "among some: not randomised" : "randomised"),
      .text(value.variant), .text(value.control), .text(value.metric.rawValue),
      .text(value.goal), .empty, .count(value.treatment.count), .number(value.treatment.mean),
      .empty, .count(value.controlMean.count), .number(value.controlMean.mean),
    ] + cells(value.difference.value) + cells(value.lift.value) + [
      .number(value.difference.value == nil ? nil : value.intervalLevel), .number(value.p),
      .number(value.pAdjusted), .empty, .empty, .text(verdict), .empty, .empty, .empty, .empty,
      .text(value.isSequential ? "always valid" : "single look"),
    ]
  }

  /// The effect on people with one value, where it is shown to depend on the value.
  private func cells(
    _ part: EffectDifference.Part, of found: EffectDifference
  ) -> [CSVTable.Cell] {
    let slice = Slice(
      experiment: found.experiment, variant: found.variant,
      breakdown: BreakdownKey(dimension: found.dimension, value: part.value))
    return slice.cells + [
      .text("effect by \(found.dimension)"), .text(found.variant), .text(found.control),
      .text(found.metric.rawValue), .text(found.step),
    ] + cells(part.treatment) + cells(part.control) + cells(part.difference.value)
      + cells(part.lift.value) + [
        .number(part.difference.value == nil ? nil : 0.95), .number(found.p),
        .number(found.pAdjusted), .empty, .empty, .text("effect differs"), .empty, .empty, .empty,
        .empty, .text(found.isSequential ? "always valid" : "single look"),
      ]
  }

  private func cells(
    _ lift: ObservationalLift, _ basis: String, _ people: ProportionComparison,
    _ estimate: Estimate<EstimateWithInterval>
  ) -> [CSVTable.Cell] {
    // Of the lift in this row: that of the strata is another one.
    let eValue = estimate.value.flatMap { EValue.ofRatio($0.estimate + 1).value }
    return lift.slice.cells + [
      .text(basis), .text("finished"), .text("skipped"), .text(lift.metric.rawValue),
      .text("all"),
    ] + cells(people.treatment) + cells(people.control) + [.empty, .empty, .empty]
      + cells(estimate.value) + [.number(estimate.value == nil ? nil : 0.95)]
      + [CSVTable.Cell](repeating: .empty, count: 8) + [.number(eValue), .text("single look")]
  }

  /// Durations: differences in seconds, distribution-free.
  private func cells(_ comparison: DurationComparison) -> [[CSVTable.Cell]] {
    let slice = Slice(experiment: comparison.experiment, variant: comparison.variant).cells
    return [("p50", comparison.median), ("p90", comparison.ninetieth)].map { name, found in
      let seconds = found.value.map {
        EstimateWithInterval(
          estimate: $0.estimate / 1000,
          interval: Interval(lower: $0.interval.lower / 1000, upper: $0.interval.upper / 1000))
      }
      return slice + [
        .text("among some: not randomised"), .text(comparison.variant), .text(comparison.control),
        .text("\(comparison.metric)_\(name)_seconds"), .text(comparison.step),
        .count(comparison.treatmentCount), .empty, .empty, .count(comparison.controlCount), .empty,
        .empty,
      ] + cells(seconds) + [.empty, .empty, .empty]
        + [.number(seconds == nil ? nil : 0.95)]
    }
  }

  /// Counts, and the rate that is compared: that of the counts unless the split changed.
  private func cells(_ rate: Proportion, _ compared: Double?) -> [CSVTable.Cell] {
    [.count(rate.successes), .count(rate.trials), .number(compared)]
  }

  private func cells(_ rate: Proportion) -> [CSVTable.Cell] {
    [.count(rate.successes), .count(rate.trials), .number(rate.estimate)]
  }

  private func cells(_ value: EstimateWithInterval?) -> [CSVTable.Cell] {
    [.number(value?.estimate)] + bounds(value)
  }

  private func bounds(_ value: EstimateWithInterval?) -> [CSVTable.Cell] {
    [.number(value?.interval.lower), .number(value?.interval.upper)]
  }
}
