import EventInput
import FlowDefinition
import FunnelEngine
import FunnelMetrics
import ReportFindings
import Timelines

extension AnalysisRun {
  /// What the data are about, where a report is about nobody though there are events; `nil` where
  /// somebody entered.
  func nobodyEntered(_ dump: Dump, _ report: Report) async throws -> String? {
    guard report.analysis.row(.entered)?.numerator == 0,
      dump.summaries.contains(where: { $0.events > 0 })
    else { return nil }
    let counts = try dump.timelines.counts
    var census = try FactCensus(dump.timelines)
    if counts.facts == 0 && counts.factsTooLate > 0 && !options.inputs.contains("-") {
      // All facts lie after --as-of, so nothing is known of them: they are read once more.
      var options = options
      options.asOf = nil
      let whole = AnalysisRun(
        flows: [report.analysis.flow], options: options, cohorts: cohorts,
        maximumRejectRate: maximumRejectRate, files: files)
      defer { whole.finish() }
      census = try FactCensus(try await whole.read().timelines)
    }
    return EmptyPopulation(report.analysis, census: census, options: numberOptions)?
      .text(factsCounted: counts.facts)
  }
}
