package import EventInput
internal import Foundation
internal import Synchronization
package import Timelines
internal import WorkerThreads

/// One state of a store, from beginning to end of a report; what others write meanwhile is not in
/// it. Readers block nobody.
package final class StoreSnapshot: Sendable {
  /// A segment that is to be read.
  struct Place: Sendable {
    var id: Int64
    var pack: Int
    var partition: Int
    var facts: Int
    var bytes: Int
    var checksum: Int64
  }

  package let store: FactStore
  /// All sources, in the order in which they came.
  package let sources: [StoredSource]
  /// Packs and their numbers in the file.
  let packs: [StoredPackReading]
  let packIDs: [Int64]
  /// For each pack the source of each of its numbers, and whether its facts there still count.
  let packSources: [[(source: Int64, isSuperseded: Bool)]]
  /// Users who are one person, by source.
  private let links: [(source: Int64, link: UserLink)]
  let places: [Place]
  /// By pack and partition.
  private let numberOfPlace: [Int: Int]

  /// - Throws: `StoreError`, also where what explains the facts is damaged.
  package init(path: String, waiting: FactStore.Waiting = .init()) throws {
    let store = try FactStore(path: path, access: .read, waiting: waiting)
    self.store = store
    try store.beginReading()
    let content = try store.read { try StoreSnapshot.content(store, $0) }
    (sources, packs, packIDs) = (content.sources, content.packs, content.ids)
    packSources = content.packSources
    links = content.links
    places = content.places
    numberOfPlace = Dictionary(
      places.enumerated().map {
        ($0.element.pack * StoreSnapshot.partitionCount + $0.element.partition, $0.offset)
      }, uniquingKeysWith: { $1 })
  }

  deinit { try? store.close() }

  /// The number of the latest source; 0 where there is none.
  package var lastSource: Int64 { sources.last?.id ?? 0 }

  private struct Content {
    var sources: [StoredSource]
    var packs: [StoredPackReading] = []
    var ids: [Int64] = []
    var packSources: [[(source: Int64, isSuperseded: Bool)]] = []
    var places: [Place] = []
    var links: [(source: Int64, link: UserLink)] = []
  }

  private static func content(_ store: FactStore, _ tables: SealedTables) throws -> Content {
    var content = Content(sources: try store.sources(tables))
    var layouts: [Int64: StoredLayout] = [:]
    for row in try tables.all(.layouts) {
      layouts[try row.integer("id")] = try store.layout(try row.text("text"))
    }
    var numbers: [Int64: Int] = [:]
    for row in try tables.all(.packs) {
      let id = try row.integer("id")
      let bytes = [UInt8](try tables.content(.packs, id: id))
      guard let layout = layouts[try row.integer("layout")],
        Int64(bitPattern: StoredBytes.checksum(of: bytes)) == (try row.integer("checksum")),
        let names = try? StoredTables(bytes, layout: layout)
      else {
        throw StoreError.damaged(store.path, "the tables of pack \(id) are not what was written")
      }
      numbers[id] = content.packs.count
      content.packs.append(StoredPackReading(layout: layout, tables: names, isWanted: []))
      content.ids.append(id)
      content.packSources.append([])
    }
    let known = Set(content.sources.map(\.id))
    for row in try tables.all(.packSources) {
      let source = try row.integer("source")
      guard let pack = numbers[try row.integer("pack")], known.contains(source),
        try row.count("number") == content.packSources[pack].count
      else { throw row.damage }
      let isSuperseded = try row.integer("is_superseded") != 0
      content.packSources[pack].append((source, isSuperseded))
      content.packs[pack].isWanted.append(!isSuperseded)
    }
    let own = Set(content.sources.filter { $0.summary.format == .canonical }.map(\.id))
    for pack in content.packs.indices {
      content.packs[pack].isOfOwnEvents = content.packSources[pack].allSatisfy {
        $0.isSuperseded || own.contains($0.source)
      }
    }
    content.links = try store.links(tables)
    for row in try tables.all(.segments) {
      let partition = try row.count("partition")
      guard let pack = numbers[try row.integer("pack")], partition < partitionCount else {
        throw row.damage
      }
      content.places.append(
        Place(
          id: try row.integer("id"), pack: pack, partition: partition,
          facts: try row.count("facts"), bytes: try row.count("bytes"),
          checksum: try row.integer("checksum")))
    }
    return content
  }

  /// What to read, and how.
  package struct Question: Sendable {
    package var schema: FactSchema
    package var threads = 1
    package var latestMilliseconds = Int64.max
    package var watchedDevices: Set<IdentifierHash> = []
    package var memoryLimit: MemoryLimit?
    /// Only sources that had come by then.
    package var lastSource = Int64.max
    /// Receives the bytes and facts of each segment that is read.
    package var progress: ReadProgress?

    package init(schema: FactSchema) { self.schema = schema }
  }

  /// The timelines of all that is stored.
  ///
  /// - Throws: `StoreError` where a segment is damaged, or can't be read; `SpillError`.
  package func timelines(_ question: Question) async throws -> Timelines {
    var packs = packs
    for (pack, sources) in packSources.enumerated() {
      for (number, entry) in sources.enumerated() where entry.source > question.lastSource {
        packs[pack].isWanted[number] = false
      }
    }
    var reader = StoredTimelineReader(
      schema: question.schema, packs: packs, threads: question.threads)
    reader.latestMilliseconds = question.latestMilliseconds
    reader.watchedDevices = question.watchedDevices
    reader.links = links.filter { $0.source <= question.lastSource }.map(\.link)
    reader.memoryLimit = question.memoryLimit
    let isNeeded = packs.map { $0.isWanted.contains(true) }
    let next = WorkQueue()
    do {
      let reading = try await reader.read { [self] in
        while let index = next.take(below: places.count) {
          let place = places[index]
          if isNeeded[place.pack] {
            question.progress?.add(bytes: place.bytes, events: place.facts)
            return try piece(place)
          }
        }
        return nil
      }
      try check(reading.factsBySource, of: packs, upTo: question.lastSource)
      return reading.timelines
    } catch is StoredDamage {
      throw StoreError.damaged(store.path, "facts make no sense")
    }
  }

  /// Compares the facts that were met of each source with those that the source gave.
  private func check(
    _ found: [[Int]], of packs: [StoredPackReading], upTo last: Int64
  ) throws {
    var counts: [Int64: Int] = [:]
    for (pack, sources) in packSources.enumerated() {
      for (number, entry) in sources.enumerated() where packs[pack].isWanted[number] {
        counts[entry.source, default: 0] += found[pack][number]
      }
    }
    for source in sources where source.id <= last {
      if let damage = difference(source, found: counts[source.id] ?? 0) {
        throw StoreError.damaged(store.path, damage)
      }
    }
  }

  /// In words, where a source does not have the facts that it gave.
  func difference(_ source: StoredSource, found: Int) -> String? {
    found == source.facts
      ? nil
      : "source \(source.id) '\(source.summary.name)' has \(found) facts, not \(source.facts)"
  }

  /// Which users are one person, by all that is stored.
  var united: IdentityGraph { IdentityGraph(links.map(\.link)) }

  /// Calls `body` for every segment of a pack.
  func forEachPiece(ofPack pack: Int, _ body: (StoredPiece) throws -> Void) throws {
    for place in places where place.pack == pack { try body(try piece(place)) }
  }

  /// How persons are divided.
  static let partitionCount = 64

  /// A pack's segment of one partition; `nil` if it has none.
  func piece(ofPack pack: Int, partition: Int) throws -> StoredPiece? {
    try numberOfPlace[pack * StoreSnapshot.partitionCount + partition].map {
      try piece(places[$0])
    }
  }

  private func piece(_ place: Place) throws -> StoredPiece {
    let bytes = try store.read { try $0.content(.segments, id: place.id) }
    let segment = unsafe bytes.withUnsafeBytes { unsafe StoredBytes($0) }
    guard Int64(bitPattern: segment.checksum) == place.checksum else {
      throw StoreError.damaged(store.path, damage(place))
    }
    return StoredPiece(pack: place.pack, bytes: segment)
  }

  private func damage(_ place: Place) -> String {
    "segment \(place.id), \(name(ofPack: place.pack, partition: place.partition)), is not what "
      + "was written"
  }

  /// Names a segment by what it holds.
  func name(ofPack pack: Int, partition: Int) -> String {
    let ids = packSources[pack].map(\.source)
    let names = sources.filter { ids.contains($0.id) }.map { "'\($0.summary.name)'" }
    let shown = names.prefix(3).joined(separator: ", ")
    let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
    return "partition \(partition) of pack \(packIDs[pack]) (facts of \(shown)\(rest))"
  }
}
