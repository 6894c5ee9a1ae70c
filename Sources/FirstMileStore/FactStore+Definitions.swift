internal import EventInput
package import FlowDefinition
internal import Foundation
internal import Timelines

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
  /// time, by the default where there is none. A definition that can't be read any more has no say.
  func stitchLimits(_ tables: SealedTables) throws -> Set<Int64> {
    let texts = try tables.all(.definitions).map { try $0.text("text") }
    let limits = texts.compactMap {
      try? FlowParser.parse($0, file: "flow in \(path)").flow.stitchWithinMilliseconds
    }
    return Set(limits.isEmpty ? [Flow.defaultStitchWithinMilliseconds] : limits)
  }

  /// Takes a forgotten person's ids out of what the store's copies of flows leave out.
  ///
  /// - Returns: the names of the flows that had one.
  func forgetNames(of forgotten: ForgottenPersons, _ tables: SealedTables) throws -> [String] {
    let devices = forgotten.wholeDevices
    var flows: Set<String> = []
    for row in try tables.all(.definitions) {
      let text = try row.text("text")
      // What can't be read any more can't be written anew either; `verify` names it.
      guard var flow = try? FlowParser.parse(text, file: "flow in \(path)").flow else { continue }
      let kept = flow.leaveOut.ids.filter { id in
        !forgotten.users.contains(key.hash(of: id, domain: .user))
          && !devices.contains(key.hash(of: id, domain: .device))
      }
      if kept.count == flow.leaveOut.ids.count { continue }
      flow.leaveOut.ids = kept
      try tables.update(row, ["fingerprint": flow.fingerprint, "text": flow.fileText])
      flows.insert(flow.id)
    }
    return flows.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
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
