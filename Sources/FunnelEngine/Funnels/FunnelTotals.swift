public import FlowDefinition
public import Timelines

/// How many people entered a funnel and how many finished it.
public struct FunnelTotals: Sendable, Hashable {
  public var entered: Int
  public var finished: Int

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
    let next = NextPiece()
    let workers = max(1, min(threads, timelines.partitionCount))
    let shares = try await Parallel.map(
      count: workers, threads: workers
    ) { (_) throws(SpillError) in
      var worker = FunnelTotalsWorker(compiled, funnel: funnel, options: options, rules: rules)
      while let piece = next.take(below: timelines.partitionCount) {
        worker.add(try timelines.partition(piece))
      }
      return worker.totals
    }
    return rules.indices.map { index in
      shares.reduce(into: FunnelTotals()) {
        $0.entered += $1[index].entered
        $0.finished += $1[index].finished
      }
    }
  }
}
