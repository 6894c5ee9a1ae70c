internal import EventInput
internal import Foundation
internal import GRDB

/// Tables as the bytes of a SQLite file.
package struct TableDatabase: Sendable {
  package enum Kind: String, Sendable {
    case text = "TEXT"
    case integer = "INTEGER"
    case real = "REAL"
  }

  package struct Table: Sendable {
    package var name: String
    package var columns: [(name: String, kind: Kind)]
    /// `nil` is NULL.
    package var rows: [[String?]]

    package init(name: String, columns: [(name: String, kind: Kind)], rows: [[String?]]) {
      self.name = name
      self.columns = columns
      self.rows = rows
    }
  }

  package let tables: [Table]

  package init(_ tables: [Table]) { self.tables = tables }

  /// Made in a private folder in TMPDIR, which is gone afterwards, and after a signal too.
  ///
  /// - Throws: an `InputProblem` or SQLite's own error where there is no room, or no writing.
  package func bytes() throws -> [UInt8] {
    let parent = FileManager.default.temporaryDirectory.path
    let (folder, number) = try UnfinishedFiles.add {
      guard let folder = PrivateFolder.make("\(parent)/firstmile-tables-") else {
        throw InputProblem(name: parent, message: "can't be written to: \(systemMessage(errno))")
      }
      return (folder, { PrivateFolder.discard(folder) })
    }
    defer {
      PrivateFolder.discard(folder)
      UnfinishedFiles.remove(number)
    }
    let path = "\(folder)/tables"
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      for table in tables { try TableDatabase.write(table, db) }
    }
    try queue.close()
    guard let content = FileManager.default.contents(atPath: path) else {
      throw InputProblem(name: path, message: "can't be read back")
    }
    return [UInt8](content)
  }

  private static func write(_ table: Table, _ db: Database) throws {
    let columns = table.columns.map { "\(quoted($0.name)) \($0.kind.rawValue)" }
    try db.execute(sql: "CREATE TABLE \(quoted(table.name)) (\(columns.joined(separator: ", ")))")
    let places = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
    let insert = try db.makeStatement(
      sql: "INSERT INTO \(quoted(table.name)) VALUES (\(places))")
    for row in table.rows {
      try insert.execute(
        arguments: StatementArguments(
          zip(table.columns, row).map { column, cell in
            value(cell, column.kind)
          }))
    }
  }

  private static func value(_ cell: String?, _ kind: Kind) -> DatabaseValue {
    guard let cell else { return .null }
    switch kind {
    case .text: return cell.databaseValue
    case .integer: return Int64(cell)?.databaseValue ?? cell.databaseValue
    case .real: return Double(cell)?.databaseValue ?? cell.databaseValue
    }
  }

  /// Names come from flow files, too.
  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
