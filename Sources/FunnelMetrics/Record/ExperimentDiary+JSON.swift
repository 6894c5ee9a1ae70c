internal import ExperimentStatistics
internal import FlowDefinition
internal import ReportText

extension ExperimentDiary {
  /// For `metrics.json`: the difference with its always-valid interval, and that of a single look.
  package var json: String {
    JSONText.object([
      ("variant", JSONText.string(variant)), ("metric", JSONText.string(metric.rawValue)),
      ("step", JSONText.string(step)),
      ("entries", JSONText.array(entries.map(\.json))),
    ])
  }
}

extension ExperimentDiary.Entry {
  fileprivate var json: String {
    let always = difference.value
    let once = single.value
    return JSONText.object([
      ("cohort", JSONText.string(cohort)), ("people", JSONText.number(people)),
      ("difference", JSONText.number(always?.estimate ?? once?.estimate)),
      ("ci_low", JSONText.number(always?.interval.lower)),
      ("ci_high", JSONText.number(always?.interval.upper)),
      ("single_low", JSONText.number(once?.interval.lower)),
      ("single_high", JSONText.number(once?.interval.upper)),
      ("planned_end", isPlannedEnd ? "true" : "false"),
    ])
  }
}
