import EventInput
import FirstMileStore
import FlowDefinition
import Foundation
import Testing

/// A damaged file that came again whole counts no longer among the inputs; its facts are a part of
/// the whole ones, so they stay.
struct ReplacedSourceTests {
  private static let lines =
    Worlds.visit(user: "a", device: "x", at: 0) + Worlds.visit(user: "b", device: "y", at: 50)
    + Worlds.visit(user: "c", device: "z", at: 90)

  /// A gzip file of one stored block that ends in the middle.
  private static func damaged() -> Data {
    let text = Array(lines.prefix(5).map { $0 + "\n" }.joined().utf8)
    let length = UInt16(truncatingIfNeeded: text.count + 100)
    let (low, high) = (UInt8(length & 255), UInt8(length >> 8))
    return Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1, low, high, ~low, ~high] + text)
  }

  private struct Replaced {
    let world: StoreWorld
    let flow: Flow

    /// Ingests the damaged file, then the whole one in its place.
    init() async throws {
      world = try StoreWorld([ReplacedSourceTests.lines])
      flow = try Worlds.flow("")
      let place = URL(fileURLWithPath: world.files[0].name)
      let whole = try Data(contentsOf: place)
      try ReplacedSourceTests.damaged().write(to: place)
      try await world.ingest(for: flow)
      let only = try #require(try StoreSnapshot(path: world.storePath).sources.first)
      #expect(!only.summary.damages.isEmpty && only.facts == 5 && only.replacedBy == nil)
      try whole.write(to: place)
      try await world.ingest(for: flow)
    }

    func replacements() throws -> [Int64?] {
      try StoreSnapshot(path: world.storePath).sources.map(\.replacedBy)
    }

    /// What reports are made from, and told of, is the whole file alone.
    func expectWhole(_ comment: Comment) async throws {
      #expect(try await world.fromStore(flow).rows == world.fromFiles(flow).rows, comment)
      let told = try StoreSnapshot(path: world.storePath).summaries(.stitched)
      #expect(told.map(\.lines) == [12] && told.allSatisfy { $0.damages.isEmpty }, comment)
      #expect(try FactStore.verify(path: world.storePath).damages == [], comment)
    }
  }

  @Test func theWholeFileReplacesTheDamagedOne() async throws {
    let replaced = try await Replaced()
    #expect(try replaced.replacements() == [2, nil])
    try await replaced.expectWhole("as ingested")
    _ = try replaced.world.compact()
    #expect(try replaced.replacements() == [2, nil])
    try await replaced.expectWhole("compacted")
  }

  @Test func aForcedReadingOfTheWholeFileKeepsThat() async throws {
    let replaced = try await Replaced()
    guard
      case .readAgain(let row, _) = try await replaced.world.ingest(
        for: replaced.flow, again: true)[0]
    else {
      Issue.record("the file was not read again")
      return
    }
    #expect(row.id == 2 && row.replacedBy == nil)
    #expect(try replaced.replacements() == [2, nil])
    try await replaced.expectWhole("read again")
  }

  @Test func aForcedReadingOfTheDamagedBytesBringsThemNotBack() async throws {
    let replaced = try await Replaced()
    let copy = replaced.world.root.appendingPathComponent("old-copy.ndjson.gz")
    try Self.damaged().write(to: copy)
    let store = try FactStore(path: replaced.world.storePath, access: .write)
    var ingest = SourceIngest(store: store, layout: try #require(try store.layouts().first))
    ingest.readsAgain = true
    guard case .readAgain(let row, _) = try await ingest.run([.file(copy.path)])[0] else {
      Issue.record("the same bytes were taken for another source")
      return
    }
    try store.close()
    #expect(row.id == 1 && row.replacedBy == 2)
    #expect(try replaced.replacements() == [2, nil])
    try await replaced.expectWhole("damaged bytes read again")
  }

  @Test func aDamagedFileElsewhereIsNotReplaced() async throws {
    let world = try StoreWorld([Self.lines, ["no json"]])
    let flow = try Worlds.flow("")
    try Self.damaged().write(to: URL(fileURLWithPath: world.files[1].name))
    try await world.ingest([1], for: flow)
    try await world.ingest([0], for: flow)
    let snapshot = try StoreSnapshot(path: world.storePath)
    #expect(snapshot.sources.map(\.replacedBy) == [nil, nil])
    #expect(snapshot.summaries(.stitched).count == 2)
  }
}
