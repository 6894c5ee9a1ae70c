public import FlowDefinition
internal import Foundation
internal import GRDB

extension EventStore {
  /// Notes which flows the store serves; the last noted text of each flow is its definition.
  public func note(_ flows: [Flow]) throws {
    try mapped { try queue.write { db in try note(flows, db) } }
  }

  func note(_ flows: [Flow], _ db: Database) throws {
    for flow in flows {
      try db.execute(
        sql: """
          INSERT INTO definitions (flow, fingerprint, text, last_used)
          VALUES (?, ?, ?, (SELECT coalesce(max(last_used), 0) + 1 FROM definitions))
          ON CONFLICT (flow, text) DO UPDATE SET last_used = excluded.last_used
          """, arguments: [flow.id, flow.fingerprint, flow.fileText])
    }
  }

  /// The flows the store serves, each as it was last used.
  ///
  /// - Throws: `StoreError` where a definition can't be read any more.
  public func flows() throws -> [Flow] {
    let texts = try mapped {
      try queue.inDatabase { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT text FROM definitions AS own WHERE last_used =
              (SELECT max(last_used) FROM definitions WHERE flow = own.flow)
            ORDER BY flow
            """)
      }
    }
    return try texts.map { text in
      do {
        return try FlowParser.parse(text, file: "flow in \(path)").flow
      } catch {
        throw StoreError.damaged(path, "a flow definition can't be read: \(error)")
      }
    }
  }
}
