internal import Foundation
internal import GRDB

/// A row as it was read from a file in which anything may lie: a value is what its column is asked
/// for, or the row is damaged.
struct StoredRow {
  let table: StoreTable
  /// By the table's columns.
  let values: [DatabaseValue]
  let seal: Int64

  var key: [DatabaseValue] { Array(values.prefix(table.keyCount)) }

  var damage: TableDamage {
    guard table.keyCount == 1, case .int64(let id)? = values.first?.storage else {
      return .row(table.name, nil)
    }
    return .row(table.name, id)
  }

  func integer(_ column: String) throws -> Int64 {
    guard case .int64(let number) = try value(column) else { throw damage }
    return number
  }

  func count(_ column: String) throws -> Int {
    guard let number = Int(exactly: try integer(column)), number >= 0 else { throw damage }
    return number
  }

  func text(_ column: String) throws -> String {
    guard case .string(let text) = try value(column) else { throw damage }
    return text
  }

  func bytes(_ column: String) throws -> Data {
    guard case .blob(let data) = try value(column) else { throw damage }
    return data
  }

  func number(_ column: String) throws -> Double {
    guard case .double(let number) = try value(column) else { throw damage }
    return number
  }

  /// What `read` gives for a column, or `nil` where it holds no value.
  func optional<Value>(
    _ column: String, _ read: (StoredRow) -> (String) throws -> Value
  ) throws -> Value? {
    if case .null = try value(column) { return nil }
    return try read(self)(column)
  }

  private func value(_ column: String) throws -> DatabaseValue.Storage {
    guard let index = table.columns.firstIndex(of: column), index < values.count else {
      throw damage
    }
    return values[index].storage
  }
}
