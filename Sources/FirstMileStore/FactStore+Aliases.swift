internal import EventInput
internal import Foundation
internal import Timelines

// Users who are one person: rows of `aliases`. They stay when packs are merged, and go with their
// source's facts when it is read again, and with either user when that one is forgotten.
extension FactStore {
  func insert(_ links: [UserLink], source: Int64, _ tables: SealedTables) throws {
    // A source of many packs may say it in several: the earliest counts.
    var earliest: [[IdentifierHash]: Int64] = [:]
    for link in links {
      let known = earliest[[link.user, link.other]] ?? .max
      earliest[[link.user, link.other]] = min(known, link.timeMilliseconds)
    }
    let pairs = earliest.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    if pairs.isEmpty { return }
    try tables.insert(
      .aliases, pairs.map { [source, $0.key[0].bytes, $0.key[1].bytes, $0.value] })
  }

  /// All of them, by source.
  func links(_ tables: SealedTables) throws -> [(source: Int64, link: UserLink)] {
    try tables.all(.aliases).map { row in
      let link = UserLink(
        user: try row.hash("user"), other: try row.hash("other"),
        timeMilliseconds: try row.integer("milliseconds"))
      return (try row.integer("source"), link)
    }
  }

  /// Nobody is to be said to be one of these.
  func forgetLinks(of users: Set<IdentifierHash>, _ tables: SealedTables) throws {
    let rows = try tables.all(.aliases).filter { row in
      try users.contains(row.hash("user")) || users.contains(row.hash("other"))
    }
    try tables.delete(.aliases, rows)
  }
}

extension StoredRow {
  /// A hashed id: 16 bytes.
  func hash(_ column: String) throws -> IdentifierHash {
    guard let hash = IdentifierHash(bytes: try bytes(column)) else { throw damage }
    return hash
  }
}
