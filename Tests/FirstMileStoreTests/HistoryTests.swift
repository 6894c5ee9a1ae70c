import FirstMileStore
import FlowDefinition
import Foundation
import Testing
import Timelines

/// Reports leave their headline numbers, and late facts are counted against them.
struct HistoryTests {
  private static func entry(
    _ flow: Flow, horizon: Int64, lastSource: Int64, text: String
  ) -> HistoryEntry {
    HistoryEntry(
      flow: flow.id, fingerprint: flow.fingerprint, programVersion: "1",
      horizonMilliseconds: horizon, options: ["cohorts": "week"], lastSource: lastSource, facts: 5,
      metricsText: text, madeAt: "2026-01-01T00:00:00Z",
      metrics: [
        HistoryEntry.Metric(
          experiment: "all", variant: "all", metric: .completionRate, step: "all",
          fingerprint: "f", numerator: 3, denominator: 4, value: 0.75, low: 0.3, high: 0.95,
          unit: "rate"),
        HistoryEntry.Metric(
          experiment: "all", variant: "all", metric: .persons, step: "all", fingerprint: "g",
          numerator: 4, denominator: nil, value: nil, unit: "persons"),
      ])
  }

  @Test func reportsAreKeptOnce() throws {
    let world = try StoreWorld([])
    let flow = try Worlds.flow("")
    let store = try FactStore(path: world.storePath, access: .create)
    let first = Self.entry(flow, horizon: 1, lastSource: 1, text: "a")
    let second = Self.entry(flow, horizon: 2, lastSource: 2, text: "b")
    #expect(try store.keep(first))
    #expect(try !store.keep(first))
    #expect(try store.keep(second))
    let history = try store.history(flow: flow.id, fingerprint: flow.fingerprint, limit: 9)
    #expect(history.map(\.horizonMilliseconds) == [2, 1])
    #expect(history.map(\.metrics) == [second.metrics, first.metrics])
    #expect(history.map(\.metricsDigest) == [second.metricsDigest, first.metricsDigest])
    #expect(try store.history(flow: flow.id, limit: 1).count == 1)
    #expect(try store.history(flow: "other", limit: 9).isEmpty)
  }

  /// In memory, and in one folder of spilled facts for both of the readings.
  @Test(arguments: [nil, 1])
  func lateFactsAreCounted(memoryBytes: Int?) async throws {
    let flow = try Worlds.flow("")
    let late = Worlds.visit(user: "late", device: "l", at: 5)
    let world = try StoreWorld([
      Worlds.visit(user: "a", device: "x", at: 0),
      // A repetition, two late facts, and one after the horizon.
      [Worlds.visit(user: "a", device: "x", at: 0)[0], late[0], late[1]]
        + [Worlds.line("opened", user: "a", second: 4000)],
      Worlds.visit(user: "b", device: "y", at: 5000),
    ])
    let horizon: Int64 = 1_770_000_100_000
    try await world.ingest([0], for: flow)
    let store = try FactStore(path: world.storePath, access: .write)
    try store.keep(Self.entry(flow, horizon: horizon, lastSource: 1, text: "a"))
    var question = StoreSnapshot.Question(schema: try FactSchema(flows: [flow]))
    question.latestMilliseconds = horizon + 5
    let folder = SpillFolder()
    defer { folder.remove() }
    question.memoryLimit = memoryBytes.map { MemoryLimit(bytes: $0, folder: folder) }
    func count() async throws -> Int? {
      try await StoreSnapshot(path: world.storePath)
        .lateFacts(flow: flow.id, fingerprint: flow.fingerprint, question)?.count
    }
    #expect(try await count() == 0)
    try await world.ingest([2], for: flow)
    #expect(try await count() == 0)
    try await world.ingest([1], for: flow)
    #expect(try await count() == 2)
    _ = try world.compact()
    #expect(try await count() == 2)
    question.latestMilliseconds = horizon - 1
    #expect(try await count() == nil)
  }

  @Test func flowsAreRememberedAsTheyWereLastUsed() throws {
    let world = try StoreWorld([])
    let store = try FactStore(path: world.storePath, access: .create)
    let (first, second) = (try Worlds.flow(""), try Worlds.flow("window: 2h\n"))
    let other = try Worlds.adversarialFlow()
    try store.note([first])
    try store.note([second, other])
    #expect(try Set(store.flows()) == Set([second, other]))
    try store.note([first])
    #expect(try Set(store.flows()) == Set([first, other]))
  }
}
