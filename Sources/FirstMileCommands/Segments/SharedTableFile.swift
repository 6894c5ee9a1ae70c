import Foundation
import FunnelEngine
import ReportText

/// Tables of `firstmile share`, read back.
enum SharedTableFile {
  private static let head = ["dimension", "value", "people"]

  /// A table; `nil` if it shows nothing.
  static func read(_ path: String, _ files: CommandFiles) throws -> PublishedTable? {
    try files.read(path, as: "a published table")
    guard let content = FileManager.default.contents(atPath: path) else {
      throw CommandError("'\(path)' can't be read: no such file, or no permission to read it")
    }
    let lines = CSVReader([UInt8](content)).lines
    guard let names = lines.first, names.starts(with: head) else {
      throw CommandError("'\(path)' is no table of `firstmile share`")
    }
    if lines.count == 1 { return nil }
    do {
      return try PublishedTable(
        categories: Array(names.dropFirst(head.count)),
        rows: try lines.dropFirst().map { try row($0, names.count) }, spelling: spelling)
    } catch {
      throw CommandError("'\(path)' can't be used: \(error)")
    }
  }

  private static func row(
    _ cells: [String], _ width: Int
  ) throws(PublishedTableError) -> ShareableCounts.Row {
    guard cells.count == width, let people = Int(cells[2]) else {
      throw .damaged("a line has \(cells.count) cells, or no number of people")
    }
    let counts = cells.dropFirst(head.count).compactMap { Int($0) }
    guard counts.count == width - head.count || cells.dropFirst(head.count).allSatisfy(\.isEmpty)
    else { throw .damaged("a line of '\(cells[1])' has other cells than counts") }
    return ShareableCounts.Row(
      dimension: cells[0], value: cells[1], people: people, counts: counts.isEmpty ? nil : counts)
  }

  /// A value as it is read back from a table, which shortens what is long and quotes formulas.
  @Sendable private static func spelling(_ value: String) -> String {
    CSVReader(Array(CSVText.line([value]).utf8)).lines.first?.first ?? value
  }
}
