internal import EventInput
internal import Foundation

/// How much is in a store.
package struct StoreFigures: Sendable, Hashable {
  package var schemaVersion: Int
  /// Of the file, as the system has it.
  package var bytes: Int
  package var lines: Int
  package var rejects: Int
  package var facts: Int
  package var packs: Int
  package var segments: Int
  package var segmentBytes: Int
  /// Ids whose facts are left out.
  package var forgotten: Int
  package var reports: Int
  /// From the first fact to the last.
  package var milliseconds: ClosedRange<Int64>?
}

extension StoreSnapshot {
  package func figures() throws -> StoreFigures {
    let spans = sources.compactMap(\.milliseconds)
    var figures = StoreFigures(
      schemaVersion: StoreSchema.version, bytes: store.fileBytes,
      lines: sources.reduce(0) { $0 + $1.summary.lines },
      rejects: sources.reduce(0) { $0 + $1.summary.rejects },
      facts: places.reduce(0) { $0 + $1.facts }, packs: packs.count, segments: places.count,
      segmentBytes: places.reduce(0) { $0 + $1.bytes }, forgotten: 0, reports: 0)
    if let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() {
      figures.milliseconds = first...last
    }
    try store.read { tables in
      // A device that several users share may have many spans.
      let ids = try tables.all(.tombstones).map { [try $0.text("kind"), try $0.hash("hash").text] }
      figures.forgotten = Set(ids).count
      figures.reports = Int(try tables.sum(of: .history).rows)
    }
    return figures
  }
}

extension FactStore {
  fileprivate var fileBytes: Int {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    return size?.intValue ?? 0
  }
}
