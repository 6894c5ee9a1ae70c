internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What `check --accept` writes: of all numbers those that the gate's rules are held against, and
/// what explains a failure of theirs. One number a line in a fixed order, so that git shows what
/// changed and nothing else.
struct BaselineDocument {
  let gate: Gate
  let report: Report
  private var analysis: Analysis { report.analysis }

  init(_ gate: Gate, _ report: Report) {
    self.gate = gate
    self.report = report
  }

  func text() throws(GateError) -> String {
    let flow = analysis.flow
    let needed = try neededRows()
    let rows = needed.filter { $0.slice.cohort == "all" }
    return JSONText.block(
      [
        ("schema", JSONText.string(RecordedReport.baselineSchema)),
        ("semantics_version", JSONText.number(Flow.semanticsVersion)),
        ("program_version", JSONText.string(report.provenance.programVersion)),
        (
          "flow",
          JSONText.object([
            ("id", JSONText.string(flow.id)), ("title", JSONText.string(flow.title)),
          ])
        ),
        ("fingerprint", JSONText.string(flow.fingerprint)),
        ("choices", JSONText.string(flow.choicesInWords)),
        ("horizon", JSONText.string(report.provenance.horizonMilliseconds.map(InstantText.format))),
        ("began", began),
        ("look_back_days", JSONText.number(report.provenance.lookBack?.days)),
        ("knows_everyone", JSONText.truth(report.provenance.lookBack?.knowsEveryone)),
        ("metric_fingerprints", JSONText.lines(fingerprints(rows), indent: "  ")),
        (
          "metrics",
          JSONText.block(
            [
              ("rows", MetricRowsJSON(indent: "    ").text(rows)),
              (
                "by_day",
                JSONText.lines(
                  DailyRates.lines(needed.filter { $0.slice.cohort != "all" }), indent: "    ")
              ),
            ], indent: "  ")
        ),
      ], indent: "") + "\n"
  }

  private var began: String {
    guard let days = analysis.daysBegun else { return "null" }
    return JSONText.object([
      ("first", JSONText.string(DaySpan.text(days.first))),
      ("last", JSONText.string(DaySpan.text(days.last))),
    ])
  }

  /// In the order of `metrics.csv`.
  private func neededRows() throws(GateError) -> [MetricRow] {
    struct Need: Hashable {
      var slice: Slice
      var metric: MetricName
      var step: String
    }
    var exact: Set<Need> = []
    var cut: Set<Need> = []
    var byDay: Set<Need> = []
    for gateCase in try GateCases(gate, analysis).all()
    where gateCase.needsBaseline && gateCase.emptiness == nil {
      let slice = gateCase.slice
      exact.insert(Need(slice: slice, metric: gateCase.metric, step: gateCase.step))
      byDay.insert(Need(slice: slice.uncut, metric: gateCase.metric, step: gateCase.step))
      // Of everybody, too: how many of them have a variant says whether chance took it away.
      for persons in [slice, slice.uncut, Slice(version: slice.version)] {
        exact.insert(Need(slice: persons, metric: .persons, step: "all"))
      }
      if let quantile = MetricCatalog.quantile(of: gateCase.metric) {
        exact.insert(
          Need(slice: slice, metric: quantile.measure.numberOfValues, step: gateCase.step))
      } else if slice.breakdown == .all {
        cut.insert(Need(slice: slice, metric: gateCase.metric, step: gateCase.step))
      }
      if DropExplanation.outcomeMetrics.contains(gateCase.metric) {
        for step in analysis.flow.steps.map(\.id) + ["(entry)", "(unknown)"] {
          exact.insert(Need(slice: slice, metric: .stepDropOff, step: step))
        }
      }
    }
    return analysis.rows.filter { row in
      let need = Need(slice: row.slice, metric: row.metric, step: row.step)
      if exact.contains(need) { return true }
      // How much days differ is seen from the rates of each.
      if row.slice.cohort != "all" {
        return row.unit == .rate && InstantReader.day(row.slice.cohort) != nil
          && byDay.contains(Need(slice: row.slice.uncut, metric: row.metric, step: row.step))
      }
      return cut.contains(Need(slice: row.slice.uncut, metric: row.metric, step: row.step))
    }
  }

  private func fingerprints(_ rows: [MetricRow]) -> [String] {
    var seen: Set<Baseline.Name> = []
    var prints = MetricFingerprints(analysis.flow)
    return rows.compactMap { row in
      guard seen.insert(Baseline.Name(metric: row.metric, step: row.step)).inserted else {
        return nil
      }
      let print = prints.fingerprint(of: row.metric, step: row.step)
      let step = row.step == "all" ? [] : [("step", JSONText.string(row.step))]
      return JSONText.object(
        [("metric", JSONText.string(row.metric.rawValue))] + step
          + [("fingerprint", JSONText.string(print))])
    }
  }
}
