internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// `metrics.json`: everything, for programs and baselines; `docs/metrics.schema.json` describes it.
///
/// What stands under `metrics` depends on the facts, the flow and the options alone; how the facts
/// arrived stands under `provenance`.
struct MetricsJSON {
  let report: Report
  private var analysis: Analysis { report.analysis }
  private var provenance: Provenance { report.provenance }

  init(_ report: Report) { self.report = report }

  func text() -> String {
    let flow = analysis.flow
    let options = provenance.options.keys
    let members: [(String, String)] = [
      ("schema", JSONText.string("firstmile.metrics/1")),
      ("semantics_version", JSONText.number(Flow.semanticsVersion)),
      ("program_version", JSONText.string(provenance.programVersion)),
      (
        "flow",
        JSONText.object([
          ("id", JSONText.string(flow.id)), ("title", JSONText.string(flow.title)),
        ])
      ),
      ("fingerprint", JSONText.string(flow.fingerprint)),
      ("choices", JSONText.string(flow.choicesInWords)),
      ("horizon", JSONText.string(provenance.horizonMilliseconds.map(InstantText.format))),
      (
        "options",
        JSONText.object(
          ByteOrder.sorted(options).map { ($0, JSONText.string(provenance.options[$0])) })
      ),
      ("metric_fingerprints", JSONText.lines(fingerprints(), indent: "  ")),
      ("metrics", metrics()),
      ("provenance", ProvenanceJSON.text(provenance)),
    ]
    return JSONText.block(members, indent: "") + "\n"
  }

  /// Of each metric and step of the rows, in their order.
  private func fingerprints() -> [String] {
    struct Name: Hashable {
      var metric: String
      var step: String
    }
    var seen: Set<Name> = []
    return analysis.rows.compactMap { row in
      guard seen.insert(Name(metric: row.metric, step: row.step)).inserted else { return nil }
      let print = analysis.flow.fingerprint(
        ofMetric: row.metric, step: row.step == "all" ? "" : row.step)
      return JSONText.object([
        ("metric", JSONText.string(row.metric)), ("step", JSONText.string(row.step)),
        ("fingerprint", JSONText.string(print)),
      ])
    }
  }

  private func metrics() -> String {
    JSONText.block(
      [
        ("identities", JSONText.lines(analysis.identities.map(identity), indent: "    ")),
        ("experiments", JSONText.lines(analysis.experiments.map(experiment), indent: "    ")),
        ("quality", quality()),
        ("rows", JSONText.lines(analysis.rows.map(row), indent: "    ")),
      ], indent: "  ")
  }

  private func row(_ row: MetricRow) -> String {
    JSONText.object([
      ("version", JSONText.string(row.slice.version)),
      ("experiment", JSONText.string(row.slice.experiment)),
      ("variant", JSONText.string(row.slice.variant)),
      ("cohort", JSONText.string(row.slice.cohort)),
      ("breakdown", JSONText.string(row.slice.breakdownText)),
      ("metric", JSONText.string(row.metric)), ("step", JSONText.string(row.step)),
      ("numerator", JSONText.number(row.numerator)),
      ("denominator", JSONText.number(row.denominator)), ("value", JSONText.number(row.value)),
      ("ci_low", JSONText.number(row.low)), ("ci_high", JSONText.number(row.high)),
      ("unit", JSONText.string(row.unit.rawValue)),
    ])
  }

  private func identity(_ check: IdentityCheck) -> String {
    JSONText.object([
      ("statement", JSONText.string(check.statement)),
      ("checked", JSONText.number(check.checked)),
      ("failures", JSONText.array(check.failures.map { JSONText.string($0) })),
    ])
  }

  private func experiment(_ summary: ExperimentSummary) -> String {
    let arms = summary.arms.map { arm in
      JSONText.object([
        ("variant", JSONText.string(arm.variant)), ("share", JSONText.number(arm.share)),
        ("entered", JSONText.number(arm.entered)), ("persons", JSONText.number(arm.persons)),
        ("contaminated", JSONText.number(arm.contaminated)),
      ])
    }
    let comparisons = summary.comparisons.map { comparison in
      JSONText.object([
        ("variant", JSONText.string(comparison.variant)),
        ("metric", JSONText.string(comparison.metric)),
        ("step", JSONText.string(comparison.step)),
        ("verdict", JSONText.string(VerdictText(comparison).word)),
      ])
    }
    return JSONText.object([
      ("id", JSONText.string(summary.id)), ("control", JSONText.string(summary.control)),
      ("srm_p", JSONText.number(summary.sampleRatio.value?.pValue)),
      ("sample_ratio_mismatch", summary.hasSampleRatioMismatch ? "true" : "false"),
      ("contaminated", JSONText.number(summary.contaminated)),
      ("unassigned", JSONText.number(summary.unassigned)), ("arms", JSONText.array(arms)),
      ("verdicts", JSONText.array(comparisons)),
    ])
  }

  private func quality() -> String {
    let quality = analysis.tally.quality
    return JSONText.object([
      ("implied_starts", JSONText.number(quality.impliedStarts)),
      ("facts_after_horizon", JSONText.number(quality.factsAfterHorizon)),
      ("page_conflicts", JSONText.number(quality.pageConflicts)),
      ("ambiguous_pages", JSONText.number(quality.ambiguousPages)),
      ("views_outside_list", JSONText.number(quality.viewsOutsideList)),
      ("undeclared_permissions", JSONText.number(quality.undeclaredPermissions)),
      ("undeclared_pages", JSONText.counts(quality.undeclaredPages)),
    ])
  }
}
