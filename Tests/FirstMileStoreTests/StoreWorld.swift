import EventInput
import FirstMileStore
import FlowDefinition
import Foundation
import FunnelEngine
import FunnelMetrics
import ReferenceEvaluator
import Timelines

/// Lines as files and a store that they are ingested into, in a folder that goes away with it.
final class StoreWorld {
  let root: URL
  let files: [InputSource]
  var storePath: String { root.appendingPathComponent("test.sqlite").path }

  init(_ files: [[String]]) throws {
    root = FileManager.default.temporaryDirectory
      .appendingPathComponent("firstmile-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    self.files = try files.enumerated().map { [root] index, lines in
      let file = root.appendingPathComponent("\(index).ndjson")
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
      return .file(file.path)
    }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// What a report is made from.
  struct Outcome: Equatable {
    var rows: [MetricRow]
    var counts: TimelineCounts
  }

  static func outcome(_ timelines: Timelines, _ flow: Flow, horizon: Int64?) async throws
    -> Outcome
  {
    let options = EvaluationOptions(asOf: horizon, span: timelines.span, cohorts: .week)
    let tally = try await FlowEvaluator.tally(timelines, flow: flow, options: options, threads: 1)
    return Outcome(rows: Analysis(of: tally, flow).rows, counts: try timelines.counts)
  }

  /// Straight from files: all of them if not said otherwise.
  func fromFiles(
    _ flow: Flow, _ numbers: [Int]? = nil, asOf: Int64? = nil
  ) async throws -> Outcome {
    let reader = TimelineLoader(
      schema: try FactSchema(flows: [flow]), threads: 1, latestMilliseconds: asOf ?? .max)
    let sources = (numbers ?? Array(files.indices)).map { files[$0] }
    let timelines = try await reader.read(sources, rejects: nil).timelines
    return try await Self.outcome(timelines, flow, horizon: asOf)
  }

  @discardableResult
  func ingest(
    _ numbers: [Int]? = nil, for flow: Flow, again: Bool = false, threads: Int = 2
  ) async throws -> [SourceIngest.Outcome] {
    let store = try FactStore(path: storePath, access: .create)
    defer { try? store.close() }
    let layout = try store.layouts().reduce(StoredLayout(try FactSchema(flows: [flow]))) {
      $0.united(with: $1)
    }
    var ingest = SourceIngest(store: store, layout: layout)
    ingest.threads = threads
    ingest.readsAgain = again
    return try await ingest.run((numbers ?? Array(files.indices)).map { files[$0] })
  }

  func compact() throws -> FactStore.Compaction {
    let store = try FactStore(path: storePath, access: .write)
    defer { try? store.close() }
    return try store.compact()
  }

  func forget(
    _ person: String, evenIfUnknown: Bool = false, waiting: Int = 600
  ) throws -> FactStore.Forgetting {
    let store = try FactStore(
      path: storePath, access: .write, waiting: FactStore.Waiting(seconds: waiting))
    defer { try? store.close() }
    return try store.forget(person, evenIfUnknown: evenIfUnknown)
  }

  func undoForgetting(_ person: String) throws -> FactStore.Undoing {
    let store = try FactStore(path: storePath, access: .write)
    defer { try? store.close() }
    return try store.undoForgetting(person)
  }

  func fromStore(
    _ flow: Flow, asOf: Int64? = nil, threads: Int = 2
  ) async throws -> Outcome {
    let snapshot = try StoreSnapshot(path: storePath)
    return try await Self.fromSnapshot(snapshot, flow, asOf: asOf, threads: threads)
  }

  static func fromSnapshot(
    _ snapshot: StoreSnapshot, _ flow: Flow, asOf: Int64? = nil, threads: Int = 2
  ) async throws -> Outcome {
    var question = StoreSnapshot.Question(schema: try FactSchema(flows: [flow]))
    question.threads = threads
    question.latestMilliseconds = asOf ?? .max
    return try await outcome(try await snapshot.timelines(question), flow, horizon: asOf)
  }

  func needs(_ flow: Flow) throws -> [StoreSnapshot.Need] {
    try StoreSnapshot(path: storePath).needs(FactSchema(flows: [flow]), flows: [flow])
  }
}

/// Flows and lines to test with.
enum Worlds {
  /// The flow that asks for everything.
  static func adversarialFlow(_ identity: IdentityRule = .stitched) throws -> Flow {
    let file = CaseFile.folder.appendingPathComponent("adversarial.yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    var flow = try FlowParser.parse(text, file: "adversarial.yaml").flow
    flow.identity = identity
    return flow
  }

  /// Random lines, some twice, cut into files.
  static func files(seed: UInt64, flow: Flow, persons: Int, count: Int = 6) -> [[String]] {
    var random = RandomTimelines(seed: seed, flow: flow)
    let lines = random.lines(persons: persons)
    let size = max(1, lines.count / count + 1)
    return stride(from: 0, to: lines.count, by: size).map {
      Array(lines[$0..<min($0 + size, lines.count)] + lines[$0..<min($0 + size / 4, lines.count)])
    }
  }

  static func flow(_ more: String) throws -> Flow {
    let text = """
      flow: app
      steps: [{id: welcome}, {id: plan}, {id: done}]
      counts_from: 1

      """
    return try FlowParser.parse(text + more, file: "app.yaml").flow
  }

  /// A line of an event at second `second` of the first day.
  static func line(
    _ event: String, user: String? = nil, device: String? = nil, second: Int,
    properties: [String: String] = [:], context: [String: String] = [:]
  ) -> String {
    func object(_ values: [String: String]) -> String {
      let pairs = values.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }
      return "{\(pairs.joined(separator: ","))}"
    }
    var members = ["\"event\":\"\(event)\"", "\"timestamp\":\(1_770_000_000 + second)"]
    if let user { members.append("\"user_id\":\"\(user)\"") }
    if let device { members.append("\"device_id\":\"\(device)\"") }
    members.append("\"properties\":\(object(properties))")
    members.append("\"context\":\(object(context))")
    return "{\(members.joined(separator: ","))}"
  }

  /// The lines of a person who comes through.
  static func visit(user: String, device: String, at second: Int) -> [String] {
    [
      line("onboarding_started", device: device, second: second),
      line(
        "onboarding_page_viewed", device: device, second: second + 1,
        properties: ["page_name": "welcome"]),
      line(
        "onboarding_page_viewed", user: user, device: device, second: second + 9,
        properties: ["page_name": "plan"]),
      line(
        "onboarding_completed", user: user, device: device, second: second + 20,
        properties: ["completion_method": "finished"]),
    ]
  }
}
