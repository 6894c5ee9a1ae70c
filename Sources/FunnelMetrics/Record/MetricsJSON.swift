internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
package import ReportText

/// `metrics.json`: the recorded rows and what they rest on, for programs and baselines;
/// `docs/metrics.schema.json` describes it.
///
/// What stands under `metrics` depends on the facts, the flow and the options alone; how the facts
/// arrived stands under `provenance`.
package struct MetricsJSON {
  package let report: Report
  private var analysis: Analysis { report.analysis }
  private var provenance: Provenance { report.provenance }

  package init(_ report: Report) { self.report = report }

  package func content() -> TextBytes {
    let flow = analysis.flow
    let options = provenance.options.keys
    let names = NamesJSON(analysis)
    let head: [(String, String)] = [
      ("schema", JSONText.string(RecordedReport.metricsSchema)),
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
      ("look_back_days", JSONText.number(provenance.lookBack?.days)),
      ("knows_everyone", JSONText.truth(provenance.lookBack?.knowsEveryone)),
      (
        "options",
        JSONText.object(
          ByteOrder.sorted(options).map { ($0, JSONText.string(provenance.options[$0])) })
      ),
      ("metric_fingerprints", JSONText.compactLines(names.fingerprints)),
      ("repeated_rates", JSONText.compactLines(names.repeatedRates)),
    ]
    var text = TextBytes()
    JSONText.write(
      block: head.map(JSONText.member) + [
        ("metrics", writeMetrics),
        JSONText.member("provenance", ProvenanceJSON.text(provenance)),
      ], indent: "", to: &text)
    text.add("\n")
    return text
  }

  private func writeMetrics(to text: inout TextBytes) {
    let head = [
      ("identities", JSONText.lines(analysis.identities.map(identity), indent: "    ")),
      ("experiments", JSONText.lines(analysis.experiments.map(experiment), indent: "    ")),
      ("observational", JSONText.lines(observational(), indent: "    ")),
      ("partial_cohorts", partialCohorts()),
      ("without_landmark", JSONText.lines(withoutLandmark(), indent: "    ")),
      ("quality", quality()),
      ("unknown", JSONText.lines(unmeasured(), indent: "    ")),
    ]
    JSONText.write(
      block: head.map(JSONText.member) + [
        JSONText.member("left_out", leftOut()),
        (
          "rows",
          { MetricRowsJSON(indent: "", isCompact: true).write(analysis.recordedRows, to: &$0) }
        ),
        JSONText.member("strata", strata()),
      ], indent: "  ", to: &text)
  }

  /// How much of the analysis has no rows here.
  private func leftOut() -> String {
    JSONText.object([
      ("rows", JSONText.number(analysis.recorded.omitted)),
      ("of", JSONText.number(analysis.rows.count)),
      ("slices", JSONText.number(analysis.recorded.shortenedSlices)),
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
    let flow = analysis.flow
    let arms = summary.arms.map { arm in
      JSONText.object(
        [("variant", JSONText.string(arm.variant))]
          + title(flow.title(ofVariant: arm.variant, in: summary.id), of: arm.variant) + [
            ("share", JSONText.number(arm.share)),
            ("entered", JSONText.number(arm.entered)), ("persons", JSONText.number(arm.persons)),
            ("contaminated", JSONText.number(arm.contaminated)),
          ])
    }
    let comparisons = summary.comparisons.map { comparison in
      JSONText.object(
        [
          ("variant", JSONText.string(comparison.variant)),
          ("metric", JSONText.string(comparison.metric.rawValue)),
          ("step", JSONText.string(comparison.step)),
          ("role", JSONText.string(comparison.role.name ?? "together")),
          ("margin", JSONText.number(comparison.role.margin)),
          ("verdict", JSONText.string(VerdictText(comparison).word)),
          ("interval_level", JSONText.number(comparison.intervalLevel)),
          ("more_persons_needed", JSONText.number(VerdictText(comparison).missingPersons)),
          ("smallest_detectable_lift", JSONText.number(comparison.smallestDetectableLift)),
        ] + phase(comparison) + stratified(comparison) + clustered(comparison)
          + posterior(comparison))
    }
    let differences = summary.effectDifferences.map(differing)
    let effects =
      differences.isEmpty ? [] : [("effect_differences", JSONText.array(differences))]
    return JSONText.object(
      [("id", JSONText.string(summary.id))]
        + title(flow.title(ofExperiment: summary.id), of: summary.id) + [
          ("control", JSONText.string(summary.control)),
          ("srm_p", JSONText.number(summary.sampleRatio.value?.pValue)),
          ("sample_ratio_mismatch", summary.hasSampleRatioMismatch ? "true" : "false"),
          ("contaminated", JSONText.number(summary.contaminated)),
          ("unassigned", JSONText.number(summary.unassigned)),
          ("outside", JSONText.number(summary.outside)),
          ("doubts", JSONText.array(summary.doubts.map { JSONText.string($0.name) })),
          ("arms", JSONText.array(arms)),
          ("verdicts", JSONText.array(comparisons)),
        ] + diaries(summary) + decisions(summary) + effects)
  }

  /// Only where the flow file gives one.
  private func title(_ title: String, of id: String) -> [(String, String)] {
    title == id ? [] : [("title", JSONText.string(title))]
  }

  /// Only where there were several looks.
  private func diaries(_ summary: ExperimentSummary) -> [(String, String)] {
    summary.diaries.isEmpty
      ? [] : [("diaries", JSONText.array(summary.diaries.map(\.json)))]
  }

  private func differing(_ found: EffectDifference) -> String {
    JSONText.object([
      ("variant", JSONText.string(found.variant)),
      ("metric", JSONText.string(found.metric.rawValue)), ("step", JSONText.string(found.step)),
      ("dimension", JSONText.string(found.dimension)), ("p", JSONText.number(found.p)),
      ("p_adjusted", JSONText.number(found.pAdjusted)),
      (
        "values",
        JSONText.array(
          found.parts.map { part in
            JSONText.object([
              ("value", JSONText.string(part.value)),
              ("difference", JSONText.number(part.difference.value?.estimate)),
              ("ci_low", JSONText.number(part.difference.value?.interval.lower)),
              ("ci_high", JSONText.number(part.difference.value?.interval.upper)),
            ])
          })
      ),
    ])
  }

  /// What a declared prior leaves of the lift.
  private func posterior(_ comparison: MetricComparison) -> [(String, String)] {
    guard let posterior = comparison.posterior else { return [] }
    let interval = posterior.credibleInterval().value
    let content = JSONText.object([
      ("lift", JSONText.number(posterior.lift)), ("ci_low", JSONText.number(interval?.lower)),
      ("ci_high", JSONText.number(interval?.upper)),
      ("probability_better", JSONText.number(posterior.probabilityBetter)),
      ("expected_loss", JSONText.number(comparison.expectedLoss)),
    ])
    return [("posterior", content)]
  }

  /// Of an experiment with a planned size: which look is the one that decides.
  private func phase(_ comparison: MetricComparison) -> [(String, String)] {
    comparison.phase.map { [("decided_by", JSONText.string($0.name))] } ?? []
  }

  /// What the plan of an experiment says about each variant; only where the flow has one.
  private func decisions(_ summary: ExperimentSummary) -> [(String, String)] {
    let decisions = PlannedDecision.all(
      analysis, summary, horizon: provenance.horizonMilliseconds)
    guard !decisions.isEmpty else { return [] }
    let texts = decisions.map { decision in
      JSONText.object([
        ("variant", JSONText.string(decision.variant)),
        ("decision", JSONText.string(decision.outcome.rawValue)),
        ("title", JSONText.string(decision.title)), ("text", JSONText.string(decision.text)),
      ])
    }
    return [("decisions", JSONText.array(texts))]
  }

  /// Only where the flow declares it.
  private func stratified(_ comparison: MetricComparison) -> [(String, String)] {
    guard let strata = comparison.stratification else { return [] }
    let content = JSONText.object([
      ("by", JSONText.string(strata.dimensions.listed)), ("strata", JSONText.number(strata.strata)),
      ("joined", JSONText.number(strata.joined)), ("gain", JSONText.number(strata.gain)),
    ])
    return [("stratified", content)]
  }

  /// Only where the flow declares it.
  private func clustered(_ comparison: MetricComparison) -> [(String, String)] {
    guard let clustering = comparison.clustering else { return [] }
    let effects = clustering.designEffects
    let content = JSONText.object([
      ("by", JSONText.string(clustering.name)),
      ("accounts", JSONText.number(clustering.treatmentClusters)),
      ("control_accounts", JSONText.number(clustering.controlClusters)),
      ("design_effect", JSONText.number(effects.treatment)),
      ("control_design_effect", JSONText.number(effects.control)),
    ])
    return [("clustered", content)]
  }

  /// Persons by their dimensions, for the comparison of two runs.
  private func strata() -> String {
    let summary = StrataSummary(analysis)
    let rates = summary.rates.map { rate in
      JSONText.object([
        ("metric", JSONText.string(rate.metric.rawValue)), ("step", JSONText.string(rate.step)),
      ])
    }
    let rows = summary.rows.map { row in
      JSONText.compact(
        [("version", JSONText.string(row.version))]
          + (row.dimension.map { [("dimension", JSONText.string($0))] } ?? []) + [
            ("values", JSONText.compact(row.values.map { JSONText.string($0) })),
            ("counts", JSONText.compact(row.counts.map { JSONText.number($0) })),
          ])
    }
    return JSONText.block(
      [
        ("dimensions", JSONText.array(summary.dimensions.map { JSONText.string($0) })),
        (
          "version_dimensions",
          JSONText.array(
            analysis.flow.dimensions.filter { $0.isVersion && summary.dimensions.contains($0.id) }
              .map { JSONText.string($0.id) })
        ),
        ("rates", JSONText.lines(rates, indent: "      ")),
        ("rows", JSONText.compactLines(rows)),
      ], indent: "    ")
  }

  /// How strong a hidden cause would have to be to explain a lift of finishing over skipping.
  private func observational() -> [String] {
    analysis.observationalLifts.filter { $0.slice == .all }.map { lift in
      JSONText.object([
        ("metric", JSONText.string(lift.metric.rawValue)),
        ("e_value", JSONText.number(lift.eValue)),
      ])
    }
  }

  private func partialCohorts() -> String {
    let partial = analysis.cohorts().filter(analysis.isPartial).map(\.cohort)
    return JSONText.array(partial.map { JSONText.string($0) })
  }

  /// Retention measures that have no value by outcome and by use of skip.
  private func withoutLandmark() -> [String] {
    let flow = analysis.flow
    return flow.retention.compactMap { measure in
      flow.landmarkRefusal(measure).map { reason in
        JSONText.object([
          ("metric", JSONText.string(MetricName.retention(measure).rawValue)),
          ("reason", JSONText.string(reason)),
        ])
      }
    }
  }

  private func unmeasured() -> [String] {
    analysis.unmeasured.all.map { reason in
      JSONText.object([
        ("subject", JSONText.string(reason.subject)),
        ("missing", JSONText.string(reason.missing)),
        ("candidates", JSONText.array(reason.candidates.map { JSONText.string($0) })),
      ])
    }
  }

  private func quality() -> String {
    let quality = analysis.tally.quality
    let leftOut =
      analysis.flow.leaveOut.isEmpty ? [] : [("left_out", JSONText.number(quality.leftOut))]
    return JSONText.object(
      [
        ("implied_starts", JSONText.number(quality.impliedStarts)),
        ("facts_after_horizon", JSONText.number(quality.factsAfterHorizon)),
        ("misdated_facts", JSONText.number(quality.misdatedFacts)),
        ("misdated_persons", JSONText.number(quality.misdatedPersons)),
        ("page_conflicts", JSONText.number(quality.pageConflicts)),
        ("ambiguous_pages", JSONText.number(quality.ambiguousPages)),
        ("views_outside_list", JSONText.number(quality.viewsOutsideList)),
        ("undeclared_permissions", JSONText.number(quality.undeclaredPermissions)),
        ("undeclared_pages", JSONText.counts(quality.undeclaredPages)),
      ] + leftOut)
  }
}
