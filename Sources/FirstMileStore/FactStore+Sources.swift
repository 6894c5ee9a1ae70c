package import EventInput
internal import Foundation
package import Timelines

extension FactStore {
  /// All sources, in the order in which they came.
  ///
  /// - Throws: `StoreError`, also for a row that is not what was written.
  package func sources() throws -> [StoredSource] {
    try read(sources)
  }

  func sources(_ tables: SealedTables) throws -> [StoredSource] {
    try tables.all(.sources).map(StoredSource.init)
  }

  /// The layouts that sources were read with, the latest first.
  package func layouts() throws -> [StoredLayout] {
    try read { try $0.all(.layouts).reversed().map { try layout(try $0.text("text")) } }
  }

  func layout(_ text: String) throws -> StoredLayout {
    do {
      return try JSONDecoder().decode(StoredLayout.self, from: Data(text.utf8))
    } catch {
      throw StoreError.damaged(path, "a description of what sources were read for is unreadable")
    }
  }

  /// Whose facts may not be kept, and which tombstones said so.
  struct Forgotten: Sendable {
    var persons: ForgottenPersons
    var sum: SealedTables.Sum
  }

  func forgotten() throws -> Forgotten {
    try read { Forgotten(persons: try forgotten($0), sum: try $0.sum(of: .tombstones)) }
  }

  func forgotten(_ tables: SealedTables) throws -> ForgottenPersons {
    var forgotten = ForgottenPersons()
    for row in try tables.all(.tombstones) {
      let hash = try row.hash("hash")
      let (first, last) = (
        try row.integer("first_milliseconds"), try row.integer("last_milliseconds")
      )
      switch try row.text("kind") {
      case "user": forgotten.insert(user: hash)
      case "device" where first <= last:
        forgotten.insert(device: hash, milliseconds: first...last)
      default: throw row.damage
      }
    }
    return forgotten
  }
}

extension FactStore {
  /// A hashed id in hexadecimal, 32 digits.
  package static func text(of hash: IdentifierHash) -> String { hash.text }
}

extension IdentifierHash {
  /// 16 bytes, the high word first.
  init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    func word(_ bytes: Data) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: word(bytes.prefix(8)), low: word(bytes.suffix(8)))
  }

  var bytes: Data {
    var bytes = Data()
    for word in [high, low] {
      for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (56 - 8 * index))) }
    }
    return bytes
  }

  /// In hexadecimal, 32 digits.
  var text: String { FileStamp.hexadecimal(bytes) }
}
