import EventInput
import FlowDefinition
import Foundation
import FunnelEngine
import Simulation
import Timelines

/// A simulated dump in all compressions, and what each part of the data path makes of it.
struct Material: Sendable {
  static let compressions = SimulationPlan.Compression.allCases.map(\.rawValue)

  let flow: Flow
  let schema: FactSchema
  let eventCount: Int
  private let folder: URL
  private let batches: [EventBatch]
  private let names: [NameTable]

  init(persons: Int) throws {
    let flow = try FlowFile.load("dequeue")
    let schema = try FactSchema(flows: [flow])
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "firstmile-bench")
    // Made anew by every process, always in the same place: nothing piles up.
    try? FileManager.default.removeItem(at: folder)
    for compression in SimulationPlan.Compression.allCases {
      var plan = SimulationPlan(flow: flow, persons: persons, seed: 5)
      plan.files = 1
      plan.compression = compression
      _ = try Simulator(plan).run(to: folder.appending(path: compression.rawValue).path)
    }
    var batches: [EventBatch] = []
    let scanner = SourceScanner(plan: schema.plan, key: .fixed)
    for source in Material.sources(folder, "none") {
      _ = try scanner.scan(source, rejects: nil) { batches.append(copy $0) }
    }
    self.flow = flow
    self.schema = schema
    self.folder = folder
    self.batches = batches
    names = scanner.tables
    eventCount = batches.reduce(0) { $0 + $1.count }
  }

  private static func sources(_ folder: URL, _ compression: String) -> [InputSource] {
    InputExpansion.expand([folder.appending(path: compression).path]).sources
  }

  /// Scans the dump in one compression; returns the number of events.
  func scan(_ compression: String, onBatch: (borrowing EventBatch) -> Void) throws -> Int {
    let scanner = SourceScanner(plan: schema.plan, key: .fixed)
    return try Material.sources(folder, compression).reduce(0) { sum, source in
      try sum + scanner.scan(source, rejects: nil, onBatch: onBatch).events
    }
  }

  func collect() throws -> FactCollector {
    let collector = FactCollector(schema: schema)
    for batch in batches { try collector.add(batch) }
    return collector
  }

  func build(_ collector: FactCollector) async throws -> Timelines {
    var builder = TimelineBuilder(schema: schema, collectors: [collector], names: [names])
    return try await builder.build(threads: 1)
  }

  func evaluate(_ timelines: Timelines) async throws -> Tally {
    let options = EvaluationOptions(
      horizonMilliseconds: try Horizon.latestComplete(timelines) ?? 0)
    return try await FlowEvaluator.tally(timelines, flow: flow, options: options, threads: 1)
  }
}
