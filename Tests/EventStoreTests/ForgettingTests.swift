import EventInput
import EventStore
import FlowDefinition
import Foundation
import Testing

/// Who is forgotten is gone from facts and rejects, and does not come back.
struct ForgettingTests {
  private static func files() -> [[String]] {
    [
      Worlds.visit(user: "ada", device: "phone", at: 0)
        + Worlds.visit(user: "bob", device: "tablet", at: 50)
        + ["{\"event\":\"x\",\"user_id\":\"ada\"}", "{\"event\":\"x\",\"user_id\":\"bob\"}"]
        + ["broken \"device_id\":\"phone\",", "{\"user_id\":\"adam\""],
      // On the shared device first ada is seen, then bob.
      [
        Worlds.line("opened", device: "shared", second: 100),
        Worlds.line("opened", user: "ada", device: "shared", second: 110),
        Worlds.line("opened", device: "shared", second: 120),
        Worlds.line("opened", user: "bob", device: "shared", second: 130),
        Worlds.line("opened", device: "shared", second: 140),
        Worlds.line("opened", device: "phone", second: 150),
      ],
      // Late: comes when ada is forgotten already.
      [
        Worlds.line("opened", user: "ada", second: 60),
        Worlds.line("opened", user: "bob", second: 61),
        Worlds.line("opened", device: "phone", second: 62),
        Worlds.line("opened", device: "shared", second: 105),
        "{\"event\":\"y\",\"user_id\":\"ada\"}",
      ],
    ]
  }

  /// The same without ada's lines.
  private static func filesOfBob() -> [[String]] {
    let files = files()
    return [
      files[0].filter { !$0.contains("\"ada\"") && !$0.contains("\"phone\"") },
      [files[1][3], files[1][2], files[1][4]],
      [files[2][1]],
    ]
  }

  private static func rejects(_ world: StoreWorld) throws -> String {
    let folder = "\(world.storePath)-rejects"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
      try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
    }.joined()
  }

  @Test(arguments: ["ada", "phone"], [false, true])
  func aPersonIsGoneAndStaysGone(name: String, compacted: Bool) async throws {
    let flow = try Worlds.flow("retention: [{days: [1]}]\n")
    let world = try StoreWorld(Self.files())
    let bob = try StoreWorld(Self.filesOfBob())
    try await world.ingest([0, 1], for: flow)
    if compacted { _ = try world.compact() }
    let done = try world.forget(name)
    // Four of the visit, on the shared device one with and one without the user, one on the phone.
    #expect(done.factsErased == 7)
    #expect(done.rejectsErased == 2)
    #expect(try await world.fromStore(flow) == bob.fromFiles(flow, [0, 1]))
    try await world.ingest([0, 1], for: flow, again: true)
    #expect(try await world.fromStore(flow) == bob.fromFiles(flow, [0, 1]))
    try await world.ingest([2], for: flow)
    #expect(try await world.fromStore(flow) == bob.fromFiles(flow))
    #expect(try EventStore.verify(path: world.storePath).damages == [])
    let left = try Self.rejects(world)
    #expect(!left.contains("\\\"ada\\\"") && !left.contains("phone"))
    #expect(left.contains("\\\"bob\\\"") && left.contains("adam"))
    #expect(try world.forget(name).factsErased == 0)
  }

  @Test func nothingOfThePersonIsLeftInTheFile() async throws {
    let flow = try Worlds.flow("")
    let world = try StoreWorld(Self.files())
    try await world.ingest([0, 1], for: flow)
    let store = try EventStore(path: world.storePath, access: .read)
    let hash = EventStore.text(of: store.key.hash(of: "ada", domain: .user))
    try store.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: world.storePath))
    _ = try world.forget("ada")
    let after = try Data(contentsOf: URL(fileURLWithPath: world.storePath))
    // Segments keep the two words of a hash with their lowest byte first.
    let bytes = stride(from: 0, to: 32, by: 2).compactMap { index -> UInt8? in
      let start = hash.index(hash.startIndex, offsetBy: index)
      return UInt8(hash[start..<hash.index(start, offsetBy: 2)], radix: 16)
    }
    let stored = Data(bytes[..<8].reversed() + bytes[8...].reversed())
    #expect(before.range(of: stored) != nil)
    #expect(after.range(of: stored) == nil)
  }

  @Test func aDeviceOfSeveralUsersIsNobody() async throws {
    let world = try StoreWorld(Self.files())
    try await world.ingest([0, 1], for: try Worlds.flow(""))
    let done = try world.forget("shared")
    #expect(done.usersOfNamedDevice == 2)
    #expect(done.factsErased == 0)
  }
}
