internal import EventInput
internal import Foundation
internal import GRDB
internal import Timelines

// Users who are one person: rows of `aliases`. They stay when packs are merged, and go with their
// source's facts when it is read again, and with either user when that one is forgotten.
extension EventStore {
  func insert(_ links: [UserLink], source: Int64, _ db: Database) throws {
    for link in links {
      // A source of many packs may say it in several: the earliest counts.
      try db.execute(
        sql: """
          INSERT INTO aliases (source, user, other, milliseconds, checksum) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET milliseconds = excluded.milliseconds,
            checksum = excluded.checksum WHERE excluded.milliseconds < milliseconds
          """,
        arguments: [
          source, link.user.bytes, link.other.bytes, link.timeMilliseconds,
          EventStore.checksum(link, source: source),
        ])
    }
  }

  /// All of them, by source.
  ///
  /// - Throws: `StoreError` where a row is not what was written.
  func links(_ db: Database) throws -> [(source: Int64, link: UserLink)] {
    try Row.fetchAll(db, sql: "SELECT * FROM aliases").map { row in
      let source: Int64 = row["source"]
      guard let user = IdentifierHash(bytes: row["user"]),
        let other = IdentifierHash(bytes: row["other"])
      else { throw damaged(source) }
      let link = UserLink(user: user, other: other, timeMilliseconds: row["milliseconds"])
      guard row["checksum"] == EventStore.checksum(link, source: source) else {
        throw damaged(source)
      }
      return (source, link)
    }
  }

  /// Nobody is to be said to be one of these.
  func forgetLinks(of users: Set<IdentifierHash>, _ db: Database) throws {
    for user in users {
      try db.execute(
        sql: "DELETE FROM aliases WHERE user = ? OR other = ?",
        arguments: [user.bytes, user.bytes])
    }
  }

  private func damaged(_ source: Int64) -> StoreError {
    StoreError.damaged(path, "the aliases of source \(source) are not what was written")
  }

  private static func checksum(_ link: UserLink, source: Int64) -> Int64 {
    let words = [
      link.user.high, link.user.low, link.other.high, link.other.low,
      UInt64(bitPattern: link.timeMilliseconds), UInt64(bitPattern: source),
    ]
    let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    return Int64(bitPattern: StoredBytes.checksum(of: bytes))
  }
}
