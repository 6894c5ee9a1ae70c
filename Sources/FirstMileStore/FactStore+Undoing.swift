internal import EventInput
internal import Foundation
internal import Timelines

extension FactStore {
  /// What came of taking back that an id is to be forgotten.
  package enum Undoing: Sendable, Hashable {
    /// So many tombstones are gone: what comes with the id is kept again.
    case undone(Int)
    /// There are none for this id.
    case notForgotten
    /// So many facts and rejects were erased for it, so that the tombstones stay.
    case hasErased(Int)
  }

  /// Takes back tombstones of an id for which nothing was erased: a misspelt one, as a rule.
  package func undoForgetting(_ id: String) throws -> Undoing {
    let (user, device) = try hashes(of: id)
    return try write { tables in
      let rows = try tables.all(.tombstones).filter { row in
        let (hash, kind) = (try row.hash("hash"), try row.text("kind"))
        return hash == user || (kind == "device" && hash == device)
      }
      let erased = try rows.map { try $0.count("erased") }.max() ?? 0
      if erased > 0 { return .hasErased(erased) }
      try tables.delete(.tombstones, rows)
      return rows.isEmpty ? .notForgotten : .undone(rows.count)
    }
  }

  /// Other spellings of an id that the store has facts of: without space or quotes around it, in
  /// small or large letters, as events give a number, and without what formats put before
  /// devices' ids.
  package func knownSpellings(like id: String) throws -> [String] {
    let trimmed = id.trimmingCharacters(in: CharacterSet(charactersIn: " \t\r\n\"'`<>"))
    let plain = NamedIdentifiers.plainDigits(Array(trimmed.utf8)[...])
    let spellings =
      [
        trimmed, plain.map { String(decoding: $0, as: UTF8.self) } ?? id, trimmed.lowercased(),
        trimmed.uppercased(),
      ] + EventFormat.spellings(ofDevice: trimmed)
    let snapshot = try StoreSnapshot(path: path, waiting: waiting)
    var known: [String] = []
    for spelling in spellings where spelling != id && !known.contains(spelling) {
      var persons = ForgottenPersons()
      let (user, device) = (
        key.hash(of: spelling, domain: .user), key.hash(of: spelling, domain: .device)
      )
      if user.isMissing || device.isMissing { continue }
      persons.insert(user: user)
      persons.insert(device: device, milliseconds: Int64.min...Int64.max)
      let isKnown = try mapped {
        try snapshot.packs.indices.contains { try snapshot.concerns(persons, pack: $0) }
      }
      if isKnown { known.append(spelling) }
    }
    return known
  }
}
