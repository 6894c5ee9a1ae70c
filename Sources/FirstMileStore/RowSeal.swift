internal import Foundation
internal import GRDB
internal import Timelines

/// Makes the seals of rows: 64 bits over the store's key, the table's name, and every column that
/// is not a seal itself.
///
/// A seal distinguishes a row from one of another place, table or store, and from one with other
/// values. It keeps damage from being read as data; anyone who changes a store on purpose can seal.
struct RowSeal: Sendable {
  private let key: [UInt8]

  /// Of the row that holds the key.
  static let ofKey = RowSeal(key: [])

  init(key: [UInt8]) { self.key = key }

  func seal(_ table: StoreTable, _ values: [DatabaseValue]) -> Int64 {
    var bytes = key
    RowSeal.append(Array(table.name.utf8), tag: 0, to: &bytes)
    for value in values {
      switch value.storage {
      case .null: bytes.append(1)
      case .int64(let number): RowSeal.append(UInt64(bitPattern: number), tag: 2, to: &bytes)
      case .double(let number): RowSeal.append(number.bitPattern, tag: 3, to: &bytes)
      case .string(let text): RowSeal.append(Array(text.utf8), tag: 4, to: &bytes)
      case .blob(let data): RowSeal.append(Array(data), tag: 5, to: &bytes)
      }
    }
    return Int64(bitPattern: StoredBytes.checksum(of: bytes))
  }

  private static func append(_ word: UInt64, tag: UInt8, to bytes: inout [UInt8]) {
    bytes.append(tag)
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  private static func append(_ content: [UInt8], tag: UInt8, to bytes: inout [UInt8]) {
    append(UInt64(content.count), tag: tag, to: &bytes)
    bytes += content
  }

  /// A value as SQLite gives it back: texts end at a zero byte, no number is no value, and zero has
  /// no sign.
  static func stored(_ value: (any DatabaseValueConvertible)?) -> DatabaseValue {
    let value = value?.databaseValue ?? .null
    switch value.storage {
    case .string(let text) where text.utf8.contains(0):
      return text.replacing("\0", with: "\u{FFFD}").databaseValue
    case .double(let number) where number.isNaN: return .null
    case .double(let number) where number == 0: return 0.0.databaseValue
    default: return value
    }
  }
}
