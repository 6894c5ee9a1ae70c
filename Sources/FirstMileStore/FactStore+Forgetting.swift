package import EventInput
internal import Foundation
internal import Timelines

extension FactStore {
  /// What was done to forget a person.
  package struct Forgetting: Sendable, Hashable {
    /// Users and devices that belong to the person, hashed.
    package var users = 0
    package var devices = 0
    package var factsErased = 0
    package var rejectsErased = 0
    /// Flows whose copies in the store left the person out by an id, which is gone from them.
    package var flowsNaming: [String] = []
    /// Several users on a device that was named, so that it is no one's alone: nothing was done.
    package var usersOfNamedDevice = 0
    /// Other users seen on a device that has the id of the user who was named; 0 of one that
    /// nobody has signed in on. Then nothing was done.
    package var usersOfDeviceOfThatName: Int?
    /// Whether nothing in the store had the id; then nothing was done, unless that was asked for.
    package var isUnknown = false
    /// Whether bytes of what was erased are still in the files, because another process went on
    /// reading the store.
    package var isHeldByReaders = false
    /// Whether bytes of what was erased are still in the files, because there was no space to write
    /// them anew.
    package var lacksSpace = false
    /// Rejected lines that are not where the store has them: who is named there is not known.
    package var missingRejects: MissingRejects?
  }

  /// Rejected lines of sources of the store, whose files are gone from its folder of rejects.
  package struct MissingRejects: Sendable, Hashable {
    package var folder: String
    package var sources: Int
    package var lines: Int
  }

  /// Erases a person: the facts of the id's user, of the devices that are the user's alone, and of
  /// shared devices in the spans that are the user's; rejects that name one of these ids. Keyed
  /// tombstones stay, so that late files and new readings bring nothing back.
  ///
  /// - Parameters:
  ///   - id: a user's or a device's id as it stands in events.
  ///   - domain: what the id is; `nil` for whatever has it, unless that would be two persons.
  ///   - evenIfUnknown: whether to make tombstones for an id that nothing in the store has.
  package func forget(
    _ id: String, as domain: IdentifierDomain? = nil, evenIfUnknown: Bool = false
  ) throws -> Forgetting {
    let (named, namedDevice) = try hashes(of: id)
    var result = try write { tables in
      let snapshot = try StoreSnapshot(path: path, waiting: waiting)
      let identity = try snapshot.identity(
        user: named, device: namedDevice, as: domain, within: try stitchLimits(tables))
      if let others = identity.usersOfDeviceOfThatName {
        return Forgetting(usersOfDeviceOfThatName: others)
      }
      if identity.usersOfNamedDevice > 1 {
        return Forgetting(usersOfNamedDevice: identity.usersOfNamedDevice)
      }
      // Rejects first: if the process ends here, the same command does it all once more.
      let folder = RejectsFolder(beside: path)
      let rejects = try folder.erase(
        RejectSearch(
          users: identity.forgotten.users, devices: identity.devices, key: key, id: id))
      let missing = folder.missing(of: snapshot.sources)
      let packs = try snapshot.packs.indices.filter {
        try snapshot.concerns(identity.forgotten, pack: $0)
      }
      let known = try self.forgotten(tables)
      let flows = try forgetNames(of: identity.forgotten, tables)
      let isKnown =
        !packs.isEmpty || rejects > 0 || !flows.isEmpty
        || identity.forgotten.users.count > 1
        || !known.users.isDisjoint(with: identity.forgotten.users)
        || !known.wholeDevices.isDisjoint(with: identity.forgotten.wholeDevices)
      if !isKnown && !evenIfUnknown {
        return Forgetting(isUnknown: true, missingRejects: missing)
      }
      try forgetLinks(of: identity.forgotten.users, tables)
      var rewriting = PackRewriting(snapshot, forgetting: identity.forgotten)
      // What counts no longer may be the person's as well, though nothing says so any more.
      let rests = snapshot.packs.indices.filter { snapshot.packs[$0].isWanted.contains(false) }
      for pack in Set(packs + rests).sorted() { try rewriting.merge([pack], tables) }
      try note(rewriting.forgottenCounts, snapshot.sources, tables)
      let facts = rewriting.forgottenCounts.values.reduce(0, +)
      try bury(identity.forgotten, erased: facts + rejects, tables)
      return Forgetting(
        users: identity.forgotten.users.count, devices: identity.devices.count,
        factsErased: facts, rejectsErased: rejects, flowsNaming: flows, isUnknown: !isKnown,
        missingRejects: missing)
    }
    // What was erased stands in free pages and in the log until both are written anew.
    if result.users + result.devices > 0 {
      do {
        result.isHeldByReaders = try !overwriteErased()
      } catch let error as StoreError {
        switch error {
        case .full, .tooLarge: result.lacksSpace = true
        default: throw error
        }
      }
    }
    return result
  }

  /// The hashes that an id has as a user's and as a device's.
  func hashes(of id: String) throws -> (user: IdentifierHash, device: IdentifierHash) {
    let (user, device) = (key.hash(of: id, domain: .user), key.hash(of: id, domain: .device))
    // Such an id is no one's: people without one would be erased.
    guard !user.isMissing, !device.isMissing else {
      throw StoreError.other(
        path,
        "'\(id)' is no id: empty ids, ids of zeros and dashes and placeholders such as "
          + "'undefined' are missing ones, and no facts are kept under them. Nothing was erased")
    }
    return (user, device)
  }

  private func note(
    _ counts: [Int64: Int], _ sources: [StoredSource], _ tables: SealedTables
  ) throws {
    for source in sources {
      guard let count = counts[source.id] else { continue }
      for row in try tables.some(.sources, where: "id = ?", [source.id]) {
        try tables.update(
          row,
          ["facts": source.facts - count, "facts_forgotten": source.factsForgotten + count])
      }
    }
  }

  private func bury(
    _ forgotten: ForgottenPersons, erased: Int, _ tables: SealedTables
  ) throws {
    let spans =
      forgotten.users.map { ("user", $0, [Int64.min...Int64.max]) }
      + forgotten.devices.map { ("device", $0.key, $0.value) }
    for (kind, hash, own) in spans {
      var known: [Int64: StoredRow] = [:]
      let rows = try tables.some(
        .tombstones, where: "kind = ? AND hash = ?", [kind, hash.bytes])
      for row in rows { known[try row.integer("first_milliseconds")] = row }
      for span in own {
        guard let row = known[span.lowerBound] else { continue }
        let last = max(try row.integer("last_milliseconds"), span.upperBound)
        try tables.update(
          row, ["last_milliseconds": last, "erased": try row.count("erased") + erased])
      }
      try tables.insert(
        .tombstones,
        own.filter { known[$0.lowerBound] == nil }.map {
          [kind, hash.bytes, $0.lowerBound, $0.upperBound, erased]
        })
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
    var usersOfDeviceOfThatName: Int?
  }

  func identity(
    user: IdentifierHash, device: IdentifierHash, as domain: IdentifierDomain?,
    within limits: Set<Int64>
  ) throws -> Identity {
    // First the users of a device of this name, then the devices of all these users. Users who are
    // one person go together.
    let united = united
    let person = united.person(of: user)
    // Where users' and devices' ids are in one space, the device has the user's hash.
    var named = StoredSightings(
      users: [person], devices: domain == .user ? [user] : [device, user], united: united)
    try forEachPiece { try named.add($0.bytes, of: packs[$0.pack].isWanted) }
    // Small numbers may be users' and devices' ids, and say nothing of each other.
    let isUser = !named.seenUsers.isEmpty
    let others = named.users(on: device).subtracting([person])
    let isAnonymous = try named.users(on: device).isEmpty && isUser && isThere(device)
    if domain == nil && isUser && (!others.isEmpty || isAnonymous) {
      return Identity(usersOfDeviceOfThatName: others.count)
    }
    let onDevice = named.users(on: device).union(named.users(on: user))
    var identity = Identity(usersOfNamedDevice: onDevice.count)
    if onDevice.count > 1 { return identity }
    let isDevice = domain == .device && (isUser || !onDevice.isEmpty)
    let persons = isDevice ? onDevice : onDevice.union([person])
    var devices = isDevice ? [] : named.devicesOfUsers
    if !onDevice.isEmpty {
      var more = StoredSightings(users: onDevice, devices: [], united: united)
      try forEachPiece { try more.add($0.bytes, of: packs[$0.pack].isWanted) }
      devices.formUnion(more.devicesOfUsers)
    }
    var seen = StoredSightings(users: persons, devices: devices, united: united)
    try forEachPiece { try seen.add($0.bytes, of: packs[$0.pack].isWanted) }
    for user in persons.flatMap({ united.users(ofPersonOf: $0) }) {
      identity.forgotten.insert(user: user)
    }
    // A device of this name that nobody signed in on is the person itself.
    if onDevice.isEmpty && domain != .user && (isDevice || !isUser) {
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
        for span in seen.spans(of: person, on: device, within: limits) {
          identity.forgotten.insert(device: device, milliseconds: span)
        }
      }
    }
    return identity
  }

  /// Whether facts name the device and no user.
  private func isThere(_ device: IdentifierHash) throws -> Bool {
    var own = ForgottenPersons()
    own.insert(device: device, milliseconds: Int64.min...Int64.max)
    return try packs.indices.contains { try concerns(own, pack: $0) }
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
