internal import Foundation
internal import GRDB

/// The tables of an open store, within one transaction: each row that comes out of them is as it
/// was written, or an error is thrown.
///
/// A row's seal covers its columns. The ledger has for each table how many rows it has, and the sum
/// of their seals, so that `all` also sees rows that are missing, or there twice. Nothing else in
/// this target reads a column.
struct SealedTables {
  private let database: Database
  private let seals: RowSeal

  init(_ database: Database, _ seals: RowSeal) {
    self.database = database
    self.seals = seals
  }

  /// How many rows a table has, and the sum of their seals.
  struct Sum: Sendable, Equatable {
    var rows: Int64 = 0
    var total: Int64 = 0

    mutating func add(_ seal: Int64) {
      rows &+= 1
      total &+= seal
    }

    mutating func remove(_ seal: Int64) {
      rows &-= 1
      total &-= seal
    }
  }

  /// All rows in the order of their keys.
  func all(_ table: StoreTable) throws -> [StoredRow] {
    let expected = try sum(of: table)
    return try whole(table, expected, "")
  }

  /// The rows that a condition names, which must be these as a whole.
  func whole(
    _ table: StoreTable, _ expected: Sum, _ condition: String,
    _ arguments: [any DatabaseValueConvertible] = []
  ) throws -> [StoredRow] {
    var found = Sum()
    let read = try rows(table, condition, arguments, atMost: expected.rows) { found.add($0.seal) }
    guard found == expected else { throw TableDamage.rows(table.name) }
    return read
  }

  /// Some rows: each is as it was written, but whether these are all is not known.
  func some(
    _ table: StoreTable, where condition: String, _ arguments: [any DatabaseValueConvertible] = []
  ) throws -> [StoredRow] {
    try rows(table, condition, arguments)
  }

  private func rows(
    _ table: StoreTable, _ condition: String, _ arguments: [any DatabaseValueConvertible],
    atMost limit: Int64 = .max, _ note: (StoredRow) -> Void = { _ in }
  ) throws -> [StoredRow] {
    let order = table.columns.prefix(table.keyCount).joined(separator: ", ")
    let sql = """
      SELECT \(table.columns.joined(separator: ", ")), seal FROM \(table.name) \
      \(condition.isEmpty ? "" : "WHERE \(condition)") ORDER BY \(order)
      """
    var rows: [StoredRow] = []
    try SealedTables.forEach(database, sql, arguments) { values in
      guard case .int64(let seal)? = values.last?.storage else {
        throw TableDamage.rows(table.name)
      }
      let row = StoredRow(table: table, values: values.dropLast(), seal: seal)
      guard seals.seal(table, row.values) == seal else { throw row.damage }
      guard rows.count < limit else { throw TableDamage.rows(table.name) }
      note(row)
      rows.append(row)
    }
    return rows
  }

  /// The large column of a row.
  func content(_ table: StoreTable, id: Int64) throws -> Data {
    var found: Data?
    let sql = "SELECT \(table.content ?? "") FROM \(table.name) WHERE id = ?"
    try SealedTables.forEach(database, sql, [id]) { values in
      if case .blob(let data)? = values.first?.storage { found = data }
    }
    guard let found else { throw TableDamage.row(table.name, id) }
    return found
  }

  /// What the ledger has of a table.
  func sum(of table: StoreTable) throws -> Sum {
    let rows = try rows(.ledger, "name = ?", [table.name])
    guard let row = rows.first, rows.count == 1 else { throw TableDamage.rows(table.name) }
    return Sum(rows: try row.integer("rows"), total: try row.integer("total"))
  }

  // MARK: Writing

  /// A number for a new row.
  func newID(_ table: StoreTable) throws -> Int64 {
    let last = try SealedTables.number(database, "SELECT max(id) FROM \(table.name)") ?? 0
    guard last < .max else { throw TableDamage.rows(table.name) }
    return last + 1
  }

  /// - Parameter rows: values by the table's columns.
  /// - Returns: what the rows add to their table.
  @discardableResult
  func insert(
    _ table: StoreTable, _ rows: [[(any DatabaseValueConvertible)?]], content: Data? = nil
  ) throws -> Sum {
    var sum = Sum()
    for row in rows {
      let values = row.map(RowSeal.stored)
      let seal = seals.seal(table, values)
      sum.add(seal)
      let columns = table.columns + ["seal"] + (content == nil ? [] : [table.content ?? ""])
      let sql = """
        INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) \
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """
      let all = values + [seal.databaseValue] + (content.map { [$0.databaseValue] } ?? [])
      try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(all))
    }
    try change(table) { ledger in
      ledger.rows &+= sum.rows
      ledger.total &+= sum.total
    }
    return sum
  }

  /// Gives columns of a row new values; not those of the key.
  func update(_ row: StoredRow, _ changes: [String: (any DatabaseValueConvertible)?]) throws {
    let values = zip(row.table.columns, row.values).map { column, value in
      changes[column].map(RowSeal.stored) ?? value
    }
    try write(row, values)
  }

  /// Gives a row new values by its table's columns, and perhaps a new large one.
  func write(
    _ row: StoredRow, _ values: [(any DatabaseValueConvertible)?], content: Data? = nil
  ) throws {
    let table = row.table
    let values = values.map(RowSeal.stored)
    let seal = seals.seal(table, values)
    let columns = table.columns + ["seal"] + (content == nil ? [] : [table.content ?? ""])
    let all = values + [seal.databaseValue] + (content.map { [$0.databaseValue] } ?? [])
    try database.execute(
      sql: """
        UPDATE \(table.name) SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) \
        WHERE \(table.isRow)
        """, arguments: StatementArguments(all + row.key))
    try isOne(table)
    try change(table) { ledger in
      ledger.remove(row.seal)
      ledger.add(seal)
    }
  }

  func delete(_ table: StoreTable, _ rows: [StoredRow]) throws {
    for row in rows {
      try database.cachedStatement(sql: "DELETE FROM \(table.name) WHERE \(table.isRow)")
        .execute(arguments: StatementArguments(row.key))
      try isOne(table)
    }
    if rows.isEmpty { return }
    try change(table) { ledger in
      for row in rows { ledger.remove(row.seal) }
    }
  }

  /// Where an index is damaged, a row may not be found where it was read.
  private func isOne(_ table: StoreTable) throws {
    if database.changesCount != 1 { throw TableDamage.rows(table.name) }
  }

  private func change(_ table: StoreTable, _ change: (inout Sum) -> Void) throws {
    guard StoreTable.counted.contains(table) else { return }
    let rows = try rows(.ledger, "name = ?", [table.name])
    guard let row = rows.first else { throw TableDamage.rows(table.name) }
    var sum = Sum(rows: try row.integer("rows"), total: try row.integer("total"))
    change(&sum)
    try write(row, [table.name, sum.rows, sum.total])
  }
}

extension SealedTables {
  /// Calls `body` with the values of each row of a result.
  static func forEach(
    _ database: Database, _ sql: String, _ arguments: [any DatabaseValueConvertible] = [],
    _ body: ([DatabaseValue]) throws -> Void
  ) throws {
    let statement = try database.cachedStatement(sql: sql)
    let cursor = try Row.fetchCursor(statement, arguments: StatementArguments(arguments))
    // By number: `databaseValues` would make a string of each column's name.
    while let row = try cursor.next() {
      try body((0..<row.count).map { row[$0]?.databaseValue ?? .null })
    }
  }

  /// A number that SQLite computes; `nil` where it is no whole number.
  static func number(_ database: Database, _ sql: String) throws -> Int64? {
    var found: Int64?
    try forEach(database, sql) { values in
      if case .int64(let number)? = values.first?.storage { found = number }
    }
    return found
  }

  /// Texts that SQLite gives, such as its list of tables.
  static func texts(_ database: Database, _ sql: String) throws -> [String] {
    var found: [String] = []
    try forEach(database, sql) { values in
      for value in values {
        if case .string(let text) = value.storage { found.append(text) }
      }
    }
    return found
  }
}
