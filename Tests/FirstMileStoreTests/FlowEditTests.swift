import EventInput
import FirstMileStore
import FlowDefinition
import Foundation
import Testing
import Timelines

/// Edits of a flow apply to facts that are in already; where they can't, the sources are named.
struct FlowEditTests {
  private static let goal = "goals: [{id: paid, event: bought, where: {plan: [gold]}}]\n"

  private static func world() throws -> StoreWorld {
    var files: [[String]] = []
    for number in 0..<4 {
      var lines: [String] = []
      for person in 0..<6 {
        let name = "\(number)-\(person)"
        lines += Worlds.visit(user: "u\(name)", device: "d\(name)", at: number * 100 + person)
        lines.append(
          Worlds.line("opened", user: "u\(name)", second: 90_000 + person, context: ["os": "1"]))
      }
      // Only two of the files have the event that is asked for later.
      if number == 1 || number == 2 {
        lines.append(
          Worlds.line(
            "bought", user: "u\(number)-0", second: 500, properties: ["plan": "gold"]))
      }
      files.append(lines)
    }
    return try StoreWorld(files)
  }

  @Test(arguments: [
    "window: 10s\n", "identity: user\n", "identity: device\n",
    "goals: [{id: opened, event: opened, within: 7d}]\n", "retention: [{days: [1, 2]}]\n",
    "existing_users: include\n", "day: calendar\n", "dimensions: [os, app_version]\n",
    "not_activity: [opened]\n", "permissions: [camera]\n",
    "events: {opened: onboarding_completed}\n",
    "funnels: [{id: f, window: 7d, steps: [onboarding_started, opened]}]\n",
  ])
  func mostEditsNeedNoReading(edit: String) async throws {
    let world = try Self.world()
    try await world.ingest(for: try Worlds.flow(""))
    let edited = try Worlds.flow(edit)
    #expect(try world.needs(edited).isEmpty)
    #expect(try await world.fromStore(edited) == world.fromFiles(edited))
    _ = try world.compact()
    #expect(try world.needs(edited).isEmpty)
    #expect(try await world.fromStore(edited) == world.fromFiles(edited))
  }

  @Test func stepsMayBeOrderedAnew() async throws {
    let world = try Self.world()
    try await world.ingest(for: try Worlds.flow(""))
    let text = "flow: app\nsteps: [{id: plan}, {id: welcome}, {id: extra}]\n"
    let edited = try FlowParser.parse(text, file: "app.yaml").flow
    #expect(try world.needs(edited).isEmpty)
    #expect(try await world.fromStore(edited) == world.fromFiles(edited))
  }

  @Test(arguments: [false, true])
  func sourcesThatLackAPropertyAreNamed(compacted: Bool) async throws {
    let world = try Self.world()
    try await world.ingest(for: try Worlds.flow(""))
    if compacted { _ = try world.compact() }
    let edited = try Worlds.flow(Self.goal)
    let needs = try world.needs(edited)
    #expect(needs.map(\.path) == [world.files[1].name, world.files[2].name])
    #expect(needs.allSatisfy { $0.description.contains("properties.plan was not kept of bought") })
    try await world.ingest([1, 2], for: edited, again: true)
    #expect(try world.needs(edited).isEmpty)
    #expect(try await world.fromStore(edited) == world.fromFiles(edited))
    _ = try world.compact()
    #expect(try await world.fromStore(edited) == world.fromFiles(edited))
    // What was kept once stays kept, whichever flow is read for next.
    try await world.ingest([1], for: try Worlds.flow(""), again: true)
    #expect(try world.needs(edited).isEmpty)
  }

  @Test func aDimensionThatWasNeverKeptIsMissedEverywhere() async throws {
    let world = try Self.world()
    try await world.ingest(for: try Worlds.flow(""))
    let edited = try Worlds.flow("dimensions: [{id: size, path: context.size}]\n")
    #expect(try world.needs(edited).map(\.path) == world.files.map(\.name))
    let moved = try Worlds.flow("fields: {user_id: context.account}\n")
    #expect(try world.needs(moved).count == world.files.count)
  }

  @Test func namesWithoutAPlaceAreMissed() async throws {
    let many = (0..<4500).map { Worlds.line("event_\($0)", user: "u", second: $0) }
    let world = try StoreWorld([
      many + Worlds.visit(user: "u", device: "d", at: 5000),
      Worlds.visit(user: "v", device: "e", at: 1),
    ])
    let flow = try Worlds.flow("")
    try await world.ingest(for: flow)
    // Whatever the store has no place for a report has none for either.
    #expect(try await world.fromStore(flow) == world.fromFiles(flow))
    // The names with the largest hashes found no place.
    let names = (0..<4500).map { "event_\($0)" }
      .sorted { NameTable.stableHash(of: $0) < NameTable.stableHash(of: $1) }
    let kept = try Worlds.flow("goals: [{id: g, event: \(names[4000])}]\n")
    #expect(try world.needs(kept).isEmpty)
    let named = try world.needs(Worlds.flow("goals: [{id: g, event: \(names[4200])}]\n"))
    #expect(named.map(\.path) == [world.files[0].name])
  }
}
