package import FlowDefinition
internal import Foundation

extension FactStore {
  /// Notes which flows the store serves; the last noted text of each flow is its definition.
  package func note(_ flows: [Flow]) throws {
    try write { tables in
      var last = try tables.all(.definitions).map { try $0.integer("last_used") }.max() ?? 0
      for flow in flows {
        last += 1
        let known = try tables.some(
          .definitions, where: "flow = ? AND text = ?", [flow.id, flow.fileText])
        if let row = known.first {
          try tables.update(row, ["last_used": last])
        } else {
          try tables.insert(
            .definitions,
            [
              [
                try tables.newID(.definitions), flow.id, flow.fingerprint, flow.fileText, last,
              ]
            ])
        }
      }
    }
  }

  /// How far from a sign-in a device's facts may be the user's: by the flows as they were at any
  /// time, and by the default. A definition that can't be read any more has no say.
  func stitchLimits(_ tables: SealedTables) throws -> Set<Int64> {
    let texts = try tables.all(.definitions).map { try $0.text("text") }
    return Set(
      texts.compactMap {
        try? FlowParser.parse($0, file: "flow in \(path)").flow.stitchWithinMilliseconds
      } + [Flow.defaultStitchWithinMilliseconds])
  }

  /// The flows the store serves, each as it was last used.
  ///
  /// - Throws: `StoreError` where a definition can't be read any more.
  package func flows() throws -> [Flow] {
    var latest: [String: (used: Int64, text: String)] = [:]
    try read { tables in
      for row in try tables.all(.definitions) {
        let (flow, used) = (try row.text("flow"), try row.integer("last_used"))
        if used > latest[flow]?.used ?? .min { latest[flow] = (used, try row.text("text")) }
      }
    }
    let texts = latest.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map(\.value.text)
    return try texts.map { text in
      do {
        return try FlowParser.parse(text, file: "flow in \(path)").flow
      } catch {
        throw StoreError.damaged(path, "a flow definition can't be read: \(error)")
      }
    }
  }
}
