public import EventInput
internal import Foundation
internal import GRDB
public import Timelines

extension EventStore {
  /// All sources, in the order in which they came.
  ///
  /// - Throws: `StoreError`, also for a row that is not what was written.
  public func sources() throws -> [StoredSource] {
    try mapped { try queue.inDatabase { try sources($0) } }
  }

  func sources(_ db: Database) throws -> [StoredSource] {
    try Row.fetchAll(db, sql: "SELECT * FROM sources ORDER BY id").map { row in
      do {
        return try StoredSource(row)
      } catch is StoredDamage {
        let id: Int64 = row["id"]
        throw StoreError.damaged(path, "the row of source \(id) is not what was written")
      }
    }
  }

  /// The layouts that sources were read with, the latest first.
  public func layouts() throws -> [StoredLayout] {
    try mapped {
      try queue.inDatabase { db in
        try String.fetchAll(db, sql: "SELECT text FROM layouts ORDER BY id DESC").map(layout)
      }
    }
  }

  func layout(_ text: String) throws -> StoredLayout {
    do {
      return try JSONDecoder().decode(StoredLayout.self, from: Data(text.utf8))
    } catch {
      throw StoreError.damaged(path, "a description of what sources were read for is unreadable")
    }
  }

  /// The source that a file is, if it is in already; looks at its content only where a source of
  /// its size is in.
  func known(_ source: InputSource) throws -> Int64? {
    guard case .file(let file) = source.kind, let (stamp, bytes) = FileStamp.of(source) else {
      return nil
    }
    let (same, alike) = try mapped {
      try queue.inDatabase { db in
        (
          try Int64.fetchOne(db, sql: "SELECT id FROM sources WHERE stamp = ?", arguments: [stamp]),
          try Int.fetchOne(
            db, sql: "SELECT count(*) FROM sources WHERE compressed_bytes = ?",
            arguments: [bytes]) ?? 0
        )
      }
    }
    if let same { return same }
    guard alike > 0, let digest = FileStamp.digest(file) else { return nil }
    return try mapped { try queue.inDatabase { try id(ofDigest: digest, $0) } }
  }

  func id(ofDigest digest: String, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT id FROM sources WHERE digest = ?", arguments: [digest])
  }

  /// Whose facts may not be kept.
  func forgotten(_ db: Database) throws -> ForgottenPersons {
    var forgotten = ForgottenPersons()
    for row in try Row.fetchAll(db, sql: "SELECT * FROM tombstones") {
      let hash: Data = row["hash"]
      guard let hash = IdentifierHash(bytes: hash) else {
        throw StoreError.damaged(path, "a tombstone of a forgotten person is unreadable")
      }
      let (first, last): (Int64, Int64) = (row["first_milliseconds"], row["last_milliseconds"])
      if row["kind"] == "user" {
        forgotten.insert(user: hash)
      } else {
        forgotten.insert(device: hash, milliseconds: first...max(first, last))
      }
    }
    return forgotten
  }
}

extension EventStore {
  /// A hashed id in hexadecimal, 32 digits.
  public static func text(of hash: IdentifierHash) -> String { hash.text }
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
