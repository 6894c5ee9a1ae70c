import EventInput
import FlowDefinition
import Foundation
import FunnelEngine
import FunnelReport
import FirstMileSimulation
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
      horizonMilliseconds: timelines.span?.horizonMilliseconds ?? 0)
    return try await FlowEvaluator.tally(timelines, flow: flow, options: options, threads: 1)
  }

  func gzipFiles() throws -> [Data] {
    let folder = folder.appending(path: "gzip")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".gz") }
      .map { try Data(contentsOf: folder.appending(path: $0)) }
  }

  /// Everything up to the timelines, and each partition once.
  func read(memoryBytes: Int?) async throws -> Int {
    let spill = SpillFolder()
    defer { spill.remove() }
    var reader = TimelineLoader(schema: schema, threads: 1)
    reader.memoryLimit = memoryBytes.map { MemoryLimit(bytes: $0, folder: spill) }
    let (timelines, _) = try await reader.read(Material.sources(folder, "gzip"), rejects: nil)
    return try gather(timelines)
  }

  /// Visits each partition once; returns the number of persons.
  func gather(_ timelines: Timelines) throws -> Int {
    try (0..<timelines.partitionCount).reduce(0) { sum, index in
      try sum + timelines.partition(index).personCount
    }
  }

  func analyse(_ tally: Tally) -> Analysis { Analysis(of: tally, flow) }

  func report(_ analysis: Analysis) -> Report {
    Report(
      analysis,
      provenance: Provenance(
        programVersion: "benchmark", sources: [], rejectsByReason: [:], lines: eventCount,
        events: eventCount, timestampsWithoutOffset: 0, timelineCounts: [:],
        horizonMilliseconds: nil, options: [:], maximumRejectRate: 0.01))
  }
}
