import EventInput
import FirstMileStore
import FlowDefinition
import Testing
import Timelines

/// What events say about users who are one person is stored, and forgotten, with them.
struct AliasTests {
  private static func alias(_ user: String, _ previous: String, second: Int) -> String {
    "{\"event\":\"alias\",\"timestamp\":\(1_770_000_000 + second),"
      + "\"user_id\":\"\(user)\",\"previous_id\":\"\(previous)\"}"
  }

  private static func files() -> [[String]] {
    [
      Worlds.visit(user: "ada", device: "phone", at: 0)
        + Worlds.visit(user: "bob", device: "tablet", at: 50),
      [Worlds.line("opened", user: "ada@new", second: 90_000)],
      [
        alias("ada@new", "ada@mid", second: 90_100), alias("ada@mid", "ada", second: 90_200),
        alias("ada@new", "null", second: 90_300),
      ],
      [
        Worlds.line("opened", user: "bob", second: 90_400),
        Worlds.line("opened", user: "eve", second: 200_000),
      ],
    ]
  }

  @Test(arguments: [false, true])
  func aStoreKnowsWhatTheDumpsSay(compacted: Bool) async throws {
    let flow = try Worlds.flow("retention: [{days: [1]}]\n")
    let world = try StoreWorld(Self.files())
    for number in [2, 0, 3, 1] { try await world.ingest([number], for: flow) }
    if compacted { #expect(try world.compact().packsAfter == 1) }
    let stored = try await world.fromStore(flow)
    #expect(stored == (try await world.fromFiles(flow)))
    #expect(stored.counts.unitedUsers == 3 && stored.counts.persons == 3)
    // Before the last alias was said two of the three are one.
    let asOf: Int64 = 1_770_090_150_000
    let early = try await world.fromStore(flow, asOf: asOf)
    #expect(early == (try await world.fromFiles(flow, asOf: asOf)))
    #expect(early.counts.unitedUsers == 2)
    // Read once more, nothing is twice.
    try await world.ingest([2], for: flow, again: true)
    #expect(try await world.fromStore(flow) == stored)
    #expect(try FactStore.verify(path: world.storePath).damages == [])
  }

  @Test(arguments: ["ada", "ada@mid", "ada@new", "phone"], [false, true])
  func allIdsOfAPersonAreForgotten(name: String, compacted: Bool) async throws {
    let flow = try Worlds.flow("retention: [{days: [1]}]\n")
    let world = try StoreWorld(Self.files())
    try await world.ingest([0, 1, 2], for: flow)
    if compacted { _ = try world.compact() }
    let done = try world.forget(name)
    #expect(done.users >= 3)
    // The visit, the return, and the three events that say so.
    #expect(done.factsErased == 8)
    let bob = try StoreWorld([
      Worlds.visit(user: "bob", device: "tablet", at: 50), Self.files()[3],
    ])
    try await world.ingest([3], for: flow)
    try await world.ingest([2], for: flow, again: true)
    #expect(try await world.fromStore(flow) == (try await bob.fromFiles(flow)))
  }
}
