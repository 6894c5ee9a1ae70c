public import FlowDefinition
public import Timelines

/// The tally of one person alone: what they count as, in every cell.
///
/// For looking at a few persons, not for going through all of them.
public struct PersonTally {
  private let compiled: CompiledFlow
  private let options: EvaluationOptions

  /// - Throws: `FlowLimitError` if the flow is too large.
  public init(
    tables: FactTables, flow: Flow, options: EvaluationOptions
  ) throws(FlowLimitError) {
    compiled = try CompiledFlow(flow, tables: tables)
    self.options = options
  }

  /// Evaluates the person at an index of the partition.
  public func tally(_ partition: TimelinePartition, person: Int) -> Tally {
    var worker = EvaluationWorker(compiled, options: options)
    worker.add(partition, person: person)
    return worker.finish()
  }
}
