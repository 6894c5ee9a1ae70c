import EventInput
import FirstMileStore
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
    #expect(try FactStore.verify(path: world.storePath).damages == [])
    let left = try Self.rejects(world)
    #expect(!left.contains("\\\"ada\\\"") && !left.contains("phone"))
    #expect(left.contains("\\\"bob\\\"") && left.contains("adam"))
    #expect(try world.forget(name).factsErased == 0)
  }

  /// An id's hash as facts have it: two words, the lowest byte first.
  private static func stored(_ id: String, _ domain: IdentifierDomain, _ world: StoreWorld) throws
    -> Data
  {
    let store = try FactStore(path: world.storePath, access: .read)
    defer { try? store.close() }
    let hash = store.key.hash(of: id, domain: domain)
    return [hash.high, hash.low].reduce(into: Data()) { bytes, word in
      withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }
  }

  /// All bytes of the store's files.
  private static func bytes(_ world: StoreWorld) throws -> Data {
    try ["", "-wal", "-shm"].map { world.storePath + $0 }
      .filter { FileManager.default.fileExists(atPath: $0) }
      .reduce(into: Data()) { $0 += try Data(contentsOf: URL(fileURLWithPath: $1)) }
  }

  @Test func nothingOfThePersonIsLeftInTheFiles() async throws {
    let flow = try Worlds.flow("")
    let world = try StoreWorld(Self.files())
    try await world.ingest([0, 1], for: flow)
    // Also what compaction has left of the facts as they came.
    _ = try world.compact()
    let ada = try Self.stored("ada", .user, world)
    let phone = try Self.stored("phone", .device, world)
    #expect(try Self.bytes(world).range(of: ada) != nil)
    let store = try FactStore(path: world.storePath, access: .write)
    #expect(try !store.forget("ada").isHeldByReaders)
    // While the store is open its log is still there.
    #expect(try Self.bytes(world).range(of: ada) == nil)
    #expect(try Self.bytes(world).range(of: phone) == nil)
    try store.close()
    #expect(try Self.bytes(world).range(of: ada) == nil)
  }

  @Test func bytesThatAReaderHoldsAreToldOf() async throws {
    let flow = try Worlds.flow("")
    let world = try StoreWorld(Self.files())
    try await world.ingest([0, 1], for: flow)
    let ada = try Self.stored("ada", .user, world)
    var reader: StoreSnapshot? = try StoreSnapshot(path: world.storePath)
    let done = try world.forget("ada", waiting: 0)
    #expect(done.isHeldByReaders && done.factsErased == 7)
    #expect(try Self.bytes(world).range(of: ada) != nil)
    // The reader goes on as it began.
    _ = try await StoreWorld.fromSnapshot(try #require(reader), flow)
    reader = nil
    let again = try world.forget("ada", waiting: 0)
    #expect(!again.isHeldByReaders && !again.isUnknown && again.factsErased == 0)
    #expect(try Self.bytes(world).range(of: ada) == nil)
  }

  @Test func anUnknownIdIsAskedAbout() async throws {
    let flow = try Worlds.flow("")
    let world = try StoreWorld(Self.files())
    try await world.ingest([0, 1], for: flow)
    let unknown = try world.forget("ADA")
    #expect(unknown.isUnknown && unknown.users == 0)
    let store = try FactStore(path: world.storePath, access: .read)
    #expect(try store.knownSpellings(like: " ADA") == ["ada"])
    #expect(try store.knownSpellings(like: "nobody").isEmpty)
    try store.close()
    #expect(try StoreSnapshot(path: world.storePath).figures().forgotten == 0)
    #expect(try world.undoForgetting("ADA") == .notForgotten)
    // With a tombstone it is no stranger any more.
    #expect(try world.forget("new", evenIfUnknown: true).isUnknown)
    #expect(try !world.forget("new").isUnknown)
    #expect(try world.undoForgetting("new") == .undone(2))
    #expect(try StoreSnapshot(path: world.storePath).figures().forgotten == 0)
  }

  @Test func whatIsUndoneIsKeptAgain() async throws {
    let flow = try Worlds.flow("")
    let world = try StoreWorld(Self.files())
    let sound = try await world.fromFiles(flow)
    try await world.ingest([1, 2], for: flow)
    _ = try world.forget("tablet", evenIfUnknown: true)
    try await world.ingest([0], for: flow)
    #expect(try world.undoForgetting("tablet") == .undone(2))
    try await world.ingest([0], for: flow, again: true)
    #expect(try await world.fromStore(flow) == sound)
    _ = try world.forget("ada")
    guard case .hasErased = try world.undoForgetting("ada") else {
      Issue.record("a person whose facts were erased stays forgotten")
      return
    }
  }

  /// Spellings of ids as lines give them, and the id that must find them.
  private static let spellings = [
    (#""Jos\u00e9""#, "José"), (#""q\"uote""#, "q\"uote"), (#""\u0061da""#, "ada"),
    (#""a\/b""#, "a/b"), ("42.0", "42"), ("4.2e1", "42"), ("42", "42"), ("0.5e-1", "0.05"),
    (#""\ud83d\ude00""#, "😀"), (#""$device:ada""#, "ada"),
  ]

  @Test(arguments: [
    #"{"event":"x","user_id":ID}"#, #"{"event":"x","device_id": ID }"#,
    #"{"type":"track","userId":ID}"#, #"{"event":"x","properties":{"distinct_id":ID}}"#,
    #"{"event_params":[{"key":"user","value":{"string_value":ID}}]}"#,
    #"{"broken":"yes,"user_id":ID"#, #"{"user_id":ID,"name":"cut of"#, #"no object: ID"#,
    #"{"user_id":ID}{"#,
  ])
  func rejectsAreFoundInEverySpelling(line: String) async throws {
    let lines = Self.spellings.map { line.replacing("ID", with: $0.0) }
    for (index, (_, id)) in Self.spellings.enumerated() {
      let other = #"{"event":"x","user_id":"somebody else"}"#
      let world = try StoreWorld([[lines[index], other]])
      try await world.ingest(for: try Worlds.flow(""))
      #expect(try world.forget(id).rejectsErased == 1, "\(lines[index])")
      #expect(try Self.rejects(world).contains("somebody else"))
    }
  }

  /// In a line that is no JSON nothing says where an id begins and ends.
  @Test(arguments: [
    "user:42", "a;b", "org(7)", "x|y|z", "team/ada", "ada lovelace", "ada@example.org",
    "3f2a11d0-11d0-4a4a-9c9c-0123456789ab", "Jos\u{E9} (ops)",
  ])
  func idsWithSignsAreFoundInBrokenLines(id: String) async throws {
    let forms = [
      "no object: ID", "2026-01-05|ID|opened", "k=(ID);", "{user_id:ID,", "ID", "to ID, cut",
    ]
    let other = "no object: somebody:else"
    let lines = forms.map { $0.replacing("ID", with: id) } + [other]
    let world = try StoreWorld([lines])
    try await world.ingest(for: try Worlds.flow(""))
    #expect(try world.forget(id).rejectsErased == forms.count)
    #expect(try Self.rejects(world).contains("somebody:else"))
    // Later readings know the id as a hash alone.
    try await world.ingest(for: try Worlds.flow(""), again: true)
    #expect(try !Self.rejects(world).contains(id))
  }

  /// Over-erasing a broken line is better than keeping an id; a short one stands in every line.
  @Test func idsWithinWordsOfBrokenLinesAreFoundUnlessTheyAreShort() async throws {
    let lines = ["broken xada-7y", "broken adam", #"{"event":"x","user_id":"xada-7y"}"#]
    let world = try StoreWorld([lines])
    try await world.ingest(for: try Worlds.flow(""))
    #expect(try world.forget("ada", evenIfUnknown: true).rejectsErased == 0)
    #expect(try world.forget("ada-7").rejectsErased == 1)
    #expect(try Self.rejects(world).contains("adam"))
  }

  /// A device of the user is known by its hash alone.
  @Test func devicesOfTheUserAreFoundInBrokenLines() async throws {
    let lines = Worlds.visit(user: "ada", device: "phone:7;b", at: 0) + ["log: seen phone:7;b (ok)"]
    let world = try StoreWorld([lines])
    try await world.ingest(for: try Worlds.flow(""))
    #expect(try world.forget("ada").rejectsErased == 1)
  }

  @Test func rejectsAreFoundInJSONThatATextHolds() async throws {
    let line = #"{"uuid":"1","properties":"{\"distinct_id\":\"Jos\\u00e9\"}"}"#
    let world = try StoreWorld([[line]])
    try await world.ingest(for: try Worlds.flow(""))
    #expect(try world.forget("José").rejectsErased == 1)
  }

  @Test func aDeviceOfSeveralUsersIsNobody() async throws {
    let world = try StoreWorld(Self.files())
    try await world.ingest([0, 1], for: try Worlds.flow(""))
    let done = try world.forget("shared")
    #expect(done.usersOfNamedDevice == 2)
    #expect(done.factsErased == 0)
  }
}
