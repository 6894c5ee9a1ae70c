import FlowDefinition

extension TruthCounter {
  /// The realised counts as rows, slice by slice.
  func rows() -> [MetricTruth] {
    var rows: [MetricTruth] = []
    for (index, slice) in slices.slices.enumerated() {
      let base = index * metrics.columns
      for row in metrics.rows where !(slice.isOfMatureOnly && row.includesImmature) {
        if row.isForSomebody, cells[base + row.numerator] == 0 { continue }
        rows.append(
          MetricTruth(
            metric: row.metric, step: row.step, version: slice.version,
            experiment: slice.experiment, variant: slice.variant, breakdown: slice.breakdown,
            numerator: cells[base + row.numerator],
            denominator: row.denominator.map { cells[base + $0] }))
      }
    }
    return rows + quality()
  }

  /// People whose start is implied by a later event; no metric of a report.
  private static let impliedStart = MetricName(rawValue: "implied_start")

  private func quality() -> [MetricTruth] {
    func row(
      _ metric: MetricName, _ count: Int, experiment: String = "all", variant: String = "all"
    ) -> MetricTruth {
      MetricTruth(
        metric: metric, step: "", version: "all", experiment: experiment, variant: variant,
        breakdown: "all", numerator: count, denominator: nil)
    }
    var rows = [
      row(.orphans, orphans), row(.existingUsers, existing),
      row(.activityOnly, activityOnly), row(Self.impliedStart, impliedStarts),
    ]
    for (index, experiment) in world.flow.experiments.enumerated() {
      rows.append(row(.contaminated, contaminatedPersons, experiment: experiment.id))
      rows.append(row(.unassigned, unassignedPersons, experiment: experiment.id))
      for (variant, count) in zip(experiment.variants, contaminated[index]) {
        rows.append(row(.contaminated, count, experiment: experiment.id, variant: variant.id))
      }
    }
    return rows
  }
}
