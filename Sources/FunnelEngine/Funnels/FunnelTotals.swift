public import FlowDefinition
public import Timelines

/// How many people entered a funnel and how many finished it.
public struct FunnelTotals: Sendable, Hashable {
  /// People with an entry that counts.
  public var entered: Int
  /// Of these, people who got to the funnel's last step.
  public var finished: Int

  /// The totals of some people; of nobody where no number is given.
  public init(entered: Int = 0, finished: Int = 0) {
    self.entered = entered
    self.finished = finished
  }

  /// Counts by many sets of rules in one pass over the persons.
  ///
  /// - Parameter funnel: index of the funnel in the flow.
  /// - Returns: for each set of rules; nothing where the flow has no such funnel.
  /// - Throws: as `FlowEvaluator.tally`.
  public static func count(
    _ timelines: Timelines, flow: Flow, funnel: Int, options: EvaluationOptions,
    rules: [FunnelRules], threads: Int
  ) async throws -> [FunnelTotals] {
    guard flow.funnels.indices.contains(funnel) else { return [] }
    let compiled = try CompiledFlow(flow, tables: timelines.tables)
    let shares = try await timelines.visit(
      threads: threads,
      begin: {
        FunnelTotalsWorker(compiled, funnel: funnel, options: options, rules: rules)
      },
      add: { $0.add($1) },
      finish: { $0.totals })
    return rules.indices.map { index in
      shares.reduce(into: FunnelTotals()) {
        $0.entered += $1[index].entered
        $0.finished += $1[index].finished
      }
    }
  }
}
