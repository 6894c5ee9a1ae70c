import EventInput
import FlowDefinition
import FunnelEngine
import FunnelReport
import Timelines

/// The explanations of some people of a dump.
struct Explanations {
  let dump: AnalysisRun.Dump
  let flow: Flow
  let options: EvaluationOptions
  private let timelines: Timelines

  /// - Throws: `CommandError` for mistakes in the dates.
  init(_ dump: AnalysisRun.Dump, _ flow: Flow, _ job: AnalysisRun) throws {
    self.dump = dump
    self.flow = flow
    timelines = try job.alone(dump, flow).timelines
    options = try job.evaluationOptions(timelines, flow)
  }

  /// Explains the people with these keys, in the order of partitions and people.
  ///
  /// - Throws: `FlowLimitError` if the flow is too large, `SpillError` if timelines can't be read
  ///   back.
  func forEach(
    _ wanted: Set<IdentifierHash>, _ body: (IdentifierHash, PersonExplanation) throws -> Void
  ) throws {
    for number in 0..<timelines.partitionCount {
      let partition = try timelines.partition(number)
      for (index, key) in partition.keys.enumerated() where wanted.contains(key) {
        try body(
          key,
          try PersonExplanation(
            partition, person: index, tables: timelines.tables, flow: flow, options: options))
      }
    }
  }

  /// Everybody whose counted attempt did not finish and got no further than a step, in no order:
  /// the people whom the report's funnel loses there.
  ///
  /// - Parameter step: the id of a step, or `(entry)` for those who saw none.
  /// - Throws: as ``forEach(_:_:)``.
  func leftAt(_ step: String) throws -> Set<IdentifierHash> {
    var found: Set<IdentifierHash> = []
    try PersonRecord.forEach(timelines, flow: flow, options: options) { record in
      let isLost = record.outcome == .abandoned || record.outcome == .skipped
      guard record.isMature, isLost, record.furthestStep ?? "(entry)" == step else { return }
      found.insert(record.person)
    }
    return found
  }

  /// The page about them.
  func page(_ people: [PersonTimeline], title: String?) -> String {
    PersonPage(
      people, flow: flow, title: title, horizonMilliseconds: options.horizonMilliseconds,
      programVersion: FirstMile.version
    ).text()
  }
}
