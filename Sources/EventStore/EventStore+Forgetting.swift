internal import EventInput
internal import Foundation
internal import GRDB
internal import Timelines

extension EventStore {
  /// What was done to forget a person.
  public struct Forgetting: Sendable, Hashable {
    /// Users and devices that belong to the person, hashed.
    public var users: Int
    public var devices: Int
    public var factsErased: Int
    public var rejectsErased: Int
    /// Others' users on a device that was named, so that it is nobody's alone: nothing was done.
    public var usersOfNamedDevice = 0
  }

  /// Erases a person: the facts of the id's user, of the devices that are the user's alone, and of
  /// shared devices in the spans that are the user's; rejects that name one of these ids. Keyed
  /// tombstones stay, so that late files and new readings bring nothing back.
  ///
  /// - Parameter id: a user's or a device's id as it stands in events.
  public func forget(_ id: String) throws -> Forgetting {
    let named = key.hash(of: id, domain: .user)
    let namedDevice = key.hash(of: id, domain: .device)
    // Such an id is nobody's: whoever has none would be erased.
    guard !named.isMissing, !namedDevice.isMissing else {
      throw StoreError.other(
        path,
        "'\(id)' is no id: empty ids and ids of zeros and dashes are missing ones. Nothing "
          + "was erased")
    }
    let result = try mapped {
      try queue.write { db in
        let snapshot = try StoreSnapshot(path: path, waiting: waiting)
        let identity = try snapshot.identity(user: named, device: namedDevice)
        if identity.usersOfNamedDevice > 1 {
          return Forgetting(
            users: 0, devices: 0, factsErased: 0, rejectsErased: 0,
            usersOfNamedDevice: identity.usersOfNamedDevice)
        }
        // Rejects first: if the process ends here, the same command does it all once more.
        let erased = try RejectsFolder(store: path).erase(
          identity.forgotten, devices: identity.devices, key: key)
        try bury(identity.forgotten, db)
        try forgetLinks(of: identity.forgotten.users, db)
        var rewriting = PackRewriting(snapshot, forgetting: identity.forgotten)
        for pack in snapshot.packs.indices
        where try snapshot.concerns(identity.forgotten, pack: pack) {
          try rewriting.merge([pack], db)
        }
        for source in snapshot.sources {
          guard let count = rewriting.forgottenCounts[source.id] else { continue }
          var source = source
          source.facts -= count
          source.factsForgotten += count
          try update(source, db)
        }
        return Forgetting(
          users: identity.forgotten.users.count, devices: identity.devices.count,
          factsErased: rewriting.forgottenCounts.values.reduce(0, +), rejectsErased: erased)
      }
    }
    // What was erased stands in the log, too, until it is emptied.
    try giveBackSpace()
    return result
  }

  private func bury(_ forgotten: ForgottenPersons, _ db: Database) throws {
    let sql = """
      INSERT INTO tombstones (kind, hash, first_milliseconds, last_milliseconds)
      VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
        last_milliseconds = max(last_milliseconds, excluded.last_milliseconds)
      """
    for user in forgotten.users {
      try db.execute(sql: sql, arguments: ["user", user.bytes, Int64.min, Int64.max])
    }
    for (device, spans) in forgotten.devices {
      for span in spans {
        try db.execute(
          sql: sql, arguments: ["device", device.bytes, span.lowerBound, span.upperBound])
      }
    }
  }
}

extension StoreSnapshot {
  /// Whom an id stands for.
  struct Identity {
    var forgotten = ForgottenPersons()
    /// Devices that are the person's alone.
    var devices: Set<IdentifierHash> = []
    var usersOfNamedDevice = 0
  }

  func identity(user: IdentifierHash, device: IdentifierHash) throws -> Identity {
    // First the users of a device of this name, then the devices of all these users. Users who are
    // one person go together.
    let united = united
    let person = united.person(of: user)
    var named = StoredSightings(users: [person], devices: [device], united: united)
    try forEachPiece { try named.add($0.bytes) }
    let onDevice = named.users(on: device)
    var identity = Identity(usersOfNamedDevice: onDevice.count)
    if onDevice.count > 1 { return identity }
    let persons = onDevice.union([person])
    var devices = named.devicesOfUsers
    if !onDevice.isEmpty {
      var more = StoredSightings(users: onDevice, devices: [], united: united)
      try forEachPiece { try more.add($0.bytes) }
      devices.formUnion(more.devicesOfUsers)
    }
    var seen = StoredSightings(users: persons, devices: devices, united: united)
    try forEachPiece { try seen.add($0.bytes) }
    for user in persons.flatMap({ united.users(ofPersonOf: $0) }) {
      identity.forgotten.insert(user: user)
    }
    // A device of this name that nobody signed in on is the person itself.
    if onDevice.isEmpty && named.seenUsers.isEmpty {
      identity.devices.insert(device)
      identity.forgotten.insert(device: device, milliseconds: Int64.min...Int64.max)
    }
    for device in devices {
      if seen.users(on: device).isSubset(of: persons) {
        identity.devices.insert(device)
        identity.forgotten.insert(device: device, milliseconds: Int64.min...Int64.max)
        continue
      }
      for person in persons {
        for span in seen.spans(of: person, on: device) {
          identity.forgotten.insert(device: device, milliseconds: span)
        }
      }
    }
    return identity
  }

  func concerns(_ forgotten: ForgottenPersons, pack: Int) throws -> Bool {
    var isConcerned = false
    try forEachPiece(ofPack: pack) { piece in
      if !isConcerned {
        isConcerned = try StoredCensus.concerns(forgotten, piece.bytes)
      }
    }
    return isConcerned
  }

  func forEachPiece(_ body: (StoredPiece) throws -> Void) throws {
    for pack in packs.indices { try forEachPiece(ofPack: pack, body) }
  }
}
