internal import EventInput
internal import FlowDefinition

/// What a `FactCollector` holds while it reads.
struct CollectorState {
  let schema: FactSchema
  /// Facts later than this are not taken in, as if they had not been read.
  let latestMilliseconds: Int64
  private(set) var factsTooLate = 0
  /// When the facts happened that were taken in; the wrong way round without any.
  private(set) var earliestMilliseconds = Int64.max
  private(set) var latestTakenMilliseconds = Int64.min
  private(set) var persons = IdentifierTable()
  private(set) var devices = IdentifierTable()
  /// For each device the first user seen there, as a number in `persons`; `.max` for none.
  private(set) var userOfDevice: [UInt32] = []
  /// Devices on which this worker has seen a second user.
  private(set) var hasSecondUser: [Bool] = []
  /// Users who are one person, and when that was first said.
  private(set) var links: [LinkedUsers: Int64] = [:]
  private(set) var encoder: FactEncoder
  /// Facts whose person is known, by partition.
  let arena: FactArena
  /// Facts with a device only, by partition of the device; their `person` is the device's number.
  let anonymous: FactArena
  private let pool: ChunkPool
  /// How many facts each person has, after the last one.
  private(set) var factsOfPersons: [UInt32] = []
  private var personNumbers: [UInt32] = []
  private var deviceNumbers: [UInt32] = []

  init(schema: FactSchema, latestMilliseconds: Int64) {
    self.schema = schema
    self.latestMilliseconds = latestMilliseconds
    encoder = FactEncoder(schema)
    pool = ChunkPool()
    arena = FactArena(lists: FactCollector.partitionCount, pool: pool)
    anonymous = FactArena(lists: FactCollector.partitionCount, pool: pool)
  }

  mutating func add(_ batch: borrowing EventBatch) {
    let keys = schema.identity == .device ? batch.devices : batch.users
    // What is known of persons lies outside the caches: it is on its way while codes are looked up.
    persons.fetchPlaces(of: keys, count: batch.count)
    encoder.encodeActions(batch)
    persons.fetchKeys(of: keys, count: batch.count, numbers: &personNumbers)
    arena.fetchLast(of: personNumbers, count: batch.count)
    encoder.encodeContexts(batch)
    if !batch.links.isEmpty { link(batch.links) }
    persons.intern(keys, count: batch.count, into: &personNumbers)
    if schema.identity == .stitched {
      addStitched(batch)
    } else {
      addByOneIdentifier(batch, keys)
    }
  }

  private mutating func addStitched(_ batch: borrowing EventBatch) {
    // A user's next event is mostly on the same device.
    arena.lastDevices(of: personNumbers, count: batch.count, into: &deviceNumbers)
    devices.fetchKeys(deviceNumbers, count: batch.count)
    devices.intern(batch.devices, count: batch.count, guessed: &deviceNumbers)
    makeRoomForDevices()
    // Of their own, so that nothing is checked for each event that is known for the batch.
    let (facts, ownPersons, ownDevices) = (encoder.facts, personNumbers, deviceNumbers)
    var (earliest, latest) = (earliestMilliseconds, latestTakenMilliseconds)
    for index in 0..<batch.count {
      let fact = facts[index]
      if fact.timeMilliseconds > latestMilliseconds {
        factsTooLate += 1
        continue
      }
      earliest = min(earliest, fact.timeMilliseconds)
      latest = max(latest, fact.timeMilliseconds)
      let person = ownPersons[index]
      let device = ownDevices[index]
      if person == .max {
        anonymous.append(
          fact, person: device, to: FactCollector.partition(of: batch.devices[index]))
        continue
      }
      let isOther = arena.append(
        CollectedFact(fact: fact, person: person, device: device),
        to: FactCollector.partition(of: batch.users[index]))
      // On the device of the user's fact before the user was seen then.
      if isOther && device != .max { see(user: person, on: Int(device)) }
    }
    (earliestMilliseconds, latestTakenMilliseconds) = (earliest, latest)
  }

  private mutating func makeRoomForDevices() {
    let unknown = devices.count - userOfDevice.count
    if unknown > 0 {
      userOfDevice.append(contentsOf: repeatElement(.max, count: unknown))
      hasSecondUser.append(contentsOf: repeatElement(false, count: unknown))
    }
  }

  private mutating func addByOneIdentifier(
    _ batch: borrowing EventBatch, _ keys: [IdentifierHash]
  ) {
    for index in 0..<batch.count where personNumbers[index] != .max {
      let fact = encoder.facts[index]
      if fact.timeMilliseconds > latestMilliseconds {
        factsTooLate += 1
        continue
      }
      arena.append(
        fact, person: personNumbers[index], to: FactCollector.partition(of: keys[index]))
    }
  }

  private mutating func link(_ said: [UserLink]) {
    for link in said where link.timeMilliseconds <= latestMilliseconds {
      links[LinkedUsers(link), default: .max] = min(
        links[LinkedUsers(link)] ?? .max, link.timeMilliseconds)
    }
  }

  private mutating func see(user: UInt32, on device: Int) {
    let known = userOfDevice[device]
    if known == user { return }
    if known == .max {
      userOfDevice[device] = user
    } else {
      hasSecondUser[device] = true
    }
  }

  /// Gives device-only facts to the persons they belong to; the devices are then forgotten.
  ///
  /// A device's owner is looked up once for all facts of the time for which the answer holds.
  mutating func adopt(_ owners: inout DeviceOwners) {
    defer {
      devices = IdentifierTable()
      userOfDevice = []
      hasSecondUser = []
    }
    if anonymous.isEmpty { return }
    var known = [KnownOwner](repeating: KnownOwner(), count: devices.count)
    anonymous.forgetPersons()
    let last = LastFacts()
    for list in 0..<FactCollector.partitionCount {
      anonymous.drain(list) { stored in
        let fact = last.collected(stored).fact
        let device = Int(stored.person)
        var owner = known[device]
        let time = fact.timeMilliseconds
        if time < owner.from || time > owner.through {
          let (key, times) = owners.owner(ofDevice: device, at: time)
          owner = KnownOwner(
            from: times.lowerBound, through: times.upperBound, person: persons.intern(key),
            list: Int32(truncatingIfNeeded: FactCollector.partition(of: key)),
            isUser: key != devices.keys[device])
          known[device] = owner
        }
        if owner.isUser { owners.stitchedFacts += 1 }
        arena.append(fact, person: owner.person, to: Int(owner.list))
      }
    }
    pool.trim()
  }

  /// Gives users' facts to the persons they are; after `adopt`, when no device is asked for.
  mutating func unite(_ united: UnitedUsers) {
    var numbers: [UInt32: UInt32] = [:]
    var lists: Set<Int> = []
    for (number, key) in persons.keys.enumerated() {
      let person = united.person(of: key)
      if person == key { continue }
      numbers[UInt32(truncatingIfNeeded: number)] = persons.intern(person)
      lists.insert(FactCollector.partition(of: key))
    }
    let moved = FactArena(lists: FactCollector.partitionCount, pool: pool)
    var last = LastFacts()
    for list in lists {
      arena.drain(list) { stored in
        let own = numbers[stored.person] ?? stored.person
        moved.append(
          last.collected(stored).fact, person: own,
          to: FactCollector.partition(of: persons.keys[Int(own)]))
      }
    }
    last = LastFacts()
    for list in 0..<FactCollector.partitionCount {
      moved.drain(list) { stored in
        arena.append(last.collected(stored).fact, person: stored.person, to: list)
      }
    }
    pool.trim()
  }

  /// Whose the facts of a device are in a span of time; in none before it was looked up.
  private struct KnownOwner {
    var from = Int64.max
    var through = Int64.min
    var person: UInt32 = 0
    /// The owner's partition.
    var list: Int32 = 0
    var isUser = false
  }

  /// Before devices are resolved by number.
  mutating func forgetDeviceNumbers() {
    devices.forgetNumbers()
  }

  /// After the last fact: gives up what only taking in more would need.
  mutating func finish() {
    persons.forgetNumbers()
    factsOfPersons = arena.factsOfPersons(persons.count)
    arena.forgetPersons()
    anonymous.forgetPersons()
  }

  /// Gives the memory of facts that were spilled, and of their ids, to the system.
  mutating func trim() {
    pool.trim()
    forgetIdentifiers()
  }

  private mutating func forgetIdentifiers() {
    persons = IdentifierTable()
    devices = IdentifierTable()
    userOfDevice = []
    hasSecondUser = []
    arena.forgetPersons()
    anonymous.forgetPersons()
  }

  /// The memory that facts and ids take, at most.
  var heldBytes: Int {
    arena.byteCount + anonymous.byteCount + persons.byteCount + devices.byteCount
      + userOfDevice.capacity * MemoryLayout<UInt32>.stride + hasSecondUser.capacity
  }

  /// Lays all facts aside and begins anew; codes of actions and contexts stay.
  mutating func spill(_ writer: SegmentWriter) throws(SpillError) -> Segment {
    let held = heldBytes
    var spiller = SegmentSpiller(writer)
    let isStitched = schema.identity == .stitched
    try spiller.write(
      arena, firstList: Segment.personLists, keys: persons.keys,
      devices: isStitched ? devices : nil)
    try spiller.write(anonymous, firstList: Segment.anonymousLists, keys: devices.keys)
    arena.beginAnew()
    anonymous.beginAnew()
    persons.removeAll()
    devices.removeAll()
    userOfDevice.removeAll(keepingCapacity: true)
    hasSecondUser.removeAll(keepingCapacity: true)
    // As many ids are likely to come once more, and have their places then; but what is kept for
    // them must leave room for facts.
    if heldBytes > held / 4 * 3 { forgetIdentifiers() }
    return try spiller.finish()
  }
}

// Facts that come back from a store.
extension CollectorState {
  /// Takes in runs of facts, each of one user on one device; either may be missing, as the
  /// schema's identity allows. Their codes are of this collector's encoder.
  mutating func add(_ runs: StoredRuns) {
    let isStitched = schema.identity == .stitched
    let keys = schema.identity == .device ? runs.devices : runs.users
    persons.intern(keys, count: runs.count, into: &personNumbers)
    if isStitched {
      devices.intern(runs.devices, count: runs.count, into: &deviceNumbers)
      makeRoomForDevices()
    }
    var start = 0
    for (run, end) in runs.ends.enumerated() {
      let facts = runs.facts[start..<end]
      start = end
      let person = personNumbers[run]
      let device = isStitched ? deviceNumbers[run] : .max
      if person != .max {
        if device != .max { see(user: person, on: Int(device)) }
        append(facts, person, device, to: arena, FactCollector.partition(of: keys[run]))
      } else if device != .max {
        let list = FactCollector.partition(of: runs.devices[run])
        append(facts, device, device, to: anonymous, list)
      }
    }
  }

  private mutating func append(
    _ facts: ArraySlice<Fact>, _ person: UInt32, _ device: UInt32, to arena: FactArena, _ list: Int
  ) {
    for fact in facts {
      earliestMilliseconds = min(earliestMilliseconds, fact.timeMilliseconds)
      latestTakenMilliseconds = max(latestTakenMilliseconds, fact.timeMilliseconds)
      arena.append(CollectedFact(fact: fact, person: person, device: device), to: list)
    }
  }

  /// What the codes of facts that come back are made with.
  mutating func withEncoder(_ body: (inout FactEncoder) throws -> Void) rethrows {
    try body(&encoder)
  }
}
