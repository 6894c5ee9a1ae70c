public import FlowDefinition
import FunnelEngine
public import FunnelMetrics

/// What one run counted.
public struct FunnelResult: Sendable {
  /// All that the documents are made from: `import FunnelReport` to look inside.
  public let report: Report
  private let studies: [FunnelStudy]

  init(report: Report, studies: [FunnelStudy]) {
    self.report = report
    self.studies = studies
  }

  /// The flow that was counted.
  public var flow: Flow { report.analysis.flow }

  /// Everyone who began.
  public var entered: Int { report.analysis.row(.entered)?.numerator ?? 0 }

  /// Those of them whose window is over: of whom the rates are.
  public var people: Int { report.analysis.row(.persons)?.numerator ?? 0 }

  /// Finished, of ``people``.
  public var completion: Rate { rate(of: .completion) ?? .ofNobody }

  /// The steps of all versions and variants.
  public var steps: StepResults {
    StepResults(
      steps: flow.steps.map { step in
        let reach = rate(of: .reach(of: step.id)) ?? .ofNobody
        return StepResult(
          id: step.id, title: step.title, reached: reach.count, reach: reach,
          conversion: rate(of: .conversion(of: step.id)) ?? .ofNobody,
          dropOff: rate(of: .dropOff(at: step.id)) ?? .ofNobody)
      })
  }

  /// A rate of some people.
  ///
  /// - Returns: `nil` where the flow has no such metric or group, or the metric is not cut by it.
  public func rate(of metric: Metric, in group: Group = .everyone) -> Rate? {
    guard
      let row = report.analysis.row(metric.metricName, step: metric.subject, in: group.slice)
    else {
      return nil
    }
    let interval = row.low.flatMap { low in row.high.map { low...max(low, $0) } }
    return Rate(
      count: row.numerator ?? 0, total: row.denominator ?? 0, rate: row.value, interval: interval)
  }

  /// One of the flow's funnels of events; `nil` where it has no such.
  ///
  /// Of a flow with steps the people are those who began the onboarding, of one without everyone
  /// with the funnel's first step.
  public func funnel(_ id: String) -> FunnelReach? {
    if let study = studies.first(where: { $0.funnel.id == id }) {
      return FunnelReach(id: id, reached: study.all.reached)
    }
    guard let funnel = flow.funnels.first(where: { $0.id == id }) else { return nil }
    return FunnelReach(
      id: id,
      reached: funnel.steps.indices.map {
        report.analysis.row(.funnelStep, step: "\(id):\($0 + 1)")?.numerator ?? 0
      })
  }

  /// One of the flow's experiments; `nil` where it has no such.
  public func experiment(_ id: String) -> ExperimentResult? {
    report.analysis.experiments.first { $0.id == id }.map { ExperimentResult($0) }
  }

  /// How the events arrived.
  public var input: InputResult {
    let provenance = report.provenance
    return InputResult(
      lines: provenance.lines, events: provenance.events, rejects: provenance.rejectsByReason,
      damages: provenance.sources.flatMap { source in
        source.problems.map { "\(source.name): \($0)" }
      })
  }
}
