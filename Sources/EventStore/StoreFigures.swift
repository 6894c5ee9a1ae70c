internal import EventInput
internal import Foundation
internal import GRDB

/// How much is in a store.
public struct StoreFigures: Sendable, Hashable {
  public var schemaVersion: Int
  /// Of the file, in which free pages count too.
  public var bytes: Int
  public var lines: Int
  public var rejects: Int
  public var facts: Int
  public var packs: Int
  public var segments: Int
  public var segmentBytes: Int
  public var tombstones: Int
  public var reports: Int
  /// From the first fact to the last.
  public var milliseconds: ClosedRange<Int64>?
}

extension StoreSnapshot {
  public func figures() throws -> StoreFigures {
    func number(_ db: Database, _ sql: String) throws -> Int {
      try Int.fetchOne(db, sql: sql) ?? 0
    }
    let spans = sources.compactMap(\.milliseconds)
    var figures = StoreFigures(
      schemaVersion: 0, bytes: 0, lines: sources.reduce(0) { $0 + $1.summary.lines },
      rejects: sources.reduce(0) { $0 + $1.summary.rejects },
      facts: 0, packs: packs.count, segments: 0, segmentBytes: 0, tombstones: 0, reports: 0)
    if let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() {
      figures.milliseconds = first...last
    }
    try store.mapped {
      try store.queue.inDatabase { db in
        figures.schemaVersion = try number(db, "PRAGMA user_version")
        figures.bytes =
          try number(db, "PRAGMA page_count") * (try number(db, "PRAGMA page_size"))
        figures.facts = try number(db, "SELECT sum(facts) FROM segments")
        figures.segments = try number(db, "SELECT count(*) FROM segments")
        figures.segmentBytes = try number(db, "SELECT sum(length(data)) FROM segments")
        figures.tombstones = try number(db, "SELECT count(*) FROM tombstones")
        figures.reports = try number(db, "SELECT count(*) FROM history")
      }
    }
    return figures
  }
}
