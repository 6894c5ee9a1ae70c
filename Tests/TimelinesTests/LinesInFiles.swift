import EventInput
import FlowDefinition
import Foundation
import FunnelEngine
import FunnelMetrics
import Timelines

/// Lines as files in a folder that goes away with the value, and what is computed from them.
final class LinesInFiles {
  let root: URL
  let sources: [InputSource]
  /// Where folders of spilled facts are made.
  let spillParent: URL

  init(_ files: [[String]]) throws {
    root = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-timelines-\(UUID().uuidString)")
    spillParent = root.appendingPathComponent("spill")
    try FileManager.default.createDirectory(at: spillParent, withIntermediateDirectories: true)
    sources = try files.enumerated().map { [root] index, lines in
      let file = root.appendingPathComponent("\(index).ndjson")
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
      return .file(file.path)
    }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// - Parameters:
  ///   - others: flows that the same facts are read for.
  ///   - memoryBytes: a memory limit; none if not given.
  ///   - folder: where facts beyond it go; a folder in `spillParent` if not given.
  func timelines(
    _ flow: Flow, beside others: [Flow] = [], threads: Int = 1, memoryBytes: Int? = nil,
    folder: SpillFolder? = nil,
    watching device: IdentifierHash = .missing
  ) async throws -> Timelines {
    var reader = TimelineLoader(
      schema: try FactSchema(flows: others + [flow]), threads: threads)
    reader.watchedDevices = [device]
    if let memoryBytes {
      reader.memoryLimit = MemoryLimit(
        bytes: memoryBytes, folder: folder ?? SpillFolder(parent: spillParent.path))
    }
    return try await reader.read(sources, rejects: nil).timelines
  }

  /// The analysis that a report is made of.
  static func analysis(_ timelines: Timelines, _ flow: Flow, threads: Int) async throws -> Analysis
  {
    let options = EvaluationOptions(asOf: nil, span: timelines.span, cohorts: .week)
    let tally = try await FlowEvaluator.tally(
      timelines, flow: flow, options: options, threads: threads)
    return Analysis(of: tally, flow)
  }

  /// Every person's facts in order.
  static func facts(_ timelines: Timelines) throws -> [IdentifierHash: [Fact]] {
    var facts: [IdentifierHash: [Fact]] = [:]
    for index in 0..<timelines.partitionCount {
      let partition = try timelines.partition(index)
      for person in 0..<partition.personCount {
        facts[partition.keys[person]] = Array(
          partition.facts[partition.starts[person]..<partition.starts[person + 1]])
      }
    }
    return facts
  }
}
