internal import EventInput
internal import FlowDefinition

/// What a `FactCollector` holds while it reads.
struct CollectorState {
  let schema: FactSchema
  /// Facts later than this are not taken in, as if they had not been read.
  let latestMilliseconds: Int64
  private(set) var factsTooLate = 0
  /// Users who are one person, and when that was first said.
  private(set) var links: [LinkedUsers: Int64] = [:]
  private(set) var encoder: FactEncoder
  /// Facts of users, by partition of the user; of devices, where those are the persons.
  let arena: FactLog
  /// Facts with a device only, by partition of the device.
  let anonymous: FactLog
  private let pool: ChunkPool

  init(schema: FactSchema, latestMilliseconds: Int64) {
    self.schema = schema
    self.latestMilliseconds = latestMilliseconds
    encoder = FactEncoder(schema)
    pool = ChunkPool()
    arena = FactLog(lists: FactCollector.partitionCount, pool: pool)
    anonymous = FactLog(lists: FactCollector.partitionCount, pool: pool)
  }

  mutating func add(_ batch: borrowing EventBatch) {
    encoder.encodeActions(batch, upTo: latestMilliseconds)
    encoder.encodeContexts(batch)
    if !batch.links.isEmpty { link(batch.links) }
    switch schema.identity {
    case .stitched: addStitched(batch)
    case .user: addByOneIdentifier(batch, batch.users)
    case .device: addByOneIdentifier(batch, batch.devices)
    }
  }

  private mutating func addStitched(_ batch: borrowing EventBatch) {
    // Of their own, so that nothing is checked for each event that is known for the batch.
    let (facts, users, devices) = (encoder.facts, batch.users, batch.devices)
    for index in 0..<batch.count {
      let fact = facts[index]
      if fact.timeMilliseconds > latestMilliseconds {
        factsTooLate += 1
        continue
      }
      let user = users[index]
      let device = devices[index]
      if user.isMissing {
        anonymous.append(
          fact, key: device, device: nil, to: FactCollector.partition(of: device))
      } else {
        arena.append(fact, key: user, device: device, to: FactCollector.partition(of: user))
      }
    }
  }

  private mutating func addByOneIdentifier(
    _ batch: borrowing EventBatch, _ keys: [IdentifierHash]
  ) {
    let facts = encoder.facts
    for index in 0..<batch.count where !keys[index].isMissing {
      let fact = facts[index]
      if fact.timeMilliseconds > latestMilliseconds {
        factsTooLate += 1
        continue
      }
      let key = keys[index]
      arena.append(fact, key: key, device: nil, to: FactCollector.partition(of: key))
    }
  }

  private mutating func link(_ said: [UserLink]) {
    for link in said where link.timeMilliseconds <= latestMilliseconds {
      links.note(link)
    }
  }

  /// Gives device-only facts to the persons they belong to; those that are nobody's stay.
  ///
  /// - Returns: how many facts went to a user, and the owners of what watched devices sent.
  mutating func adopt(
    _ owners: DeviceOwners, watching watchedDevices: Set<IdentifierHash>
  ) -> (stitchedFacts: Int, watchedPersons: Set<IdentifierHash>) {
    var stitchedFacts = 0
    var watchedPersons: Set<IdentifierHash> = []
    for list in 0..<FactCollector.partitionCount where owners.hasOwners(partition: list) {
      anonymous.drain(list, remembering: Waiting()) { memory, record in
        memory.base.take(record)
        let device = memory.base.key
        if record.tellsKey {
          memory.owner = owners.owner(of: device, partition: list)
          memory.isWatched = watchedDevices.contains(device)
        }
        let person = owners.person(
          of: memory.owner, device: device, at: record.timeMilliseconds)
        if person != device { stitchedFacts += 1 }
        if memory.isWatched { watchedPersons.insert(person) }
        arena.append(
          memory.base.fact(record), key: person, device: nil,
          to: FactCollector.partition(of: person))
      }
    }
    pool.trim()
    return (stitchedFacts, watchedPersons)
  }

  /// What a slot of a log remembers while device-only facts find their persons.
  private struct Waiting {
    var base = RecordBase()
    var owner = DeviceUsers.Owner.byTime
    var isWatched = false
  }

  /// Gives users' facts to the persons they are; after `adopt`, when no device is asked for.
  mutating func unite(_ united: UnitedUsers) {
    let moved = FactLog(lists: FactCollector.partitionCount, pool: pool)
    for list in united.partitions.sorted() {
      // A device of nobody may be known as somebody's other id, where both are of one space.
      for log in [arena, anonymous] {
        log.drain(list, remembering: RecordBase()) { base, record in
          base.take(record)
          let person = united.person(of: base.key)
          moved.append(
            base.fact(record), key: person, device: nil, to: FactCollector.partition(of: person))
        }
      }
    }
    for list in 0..<FactCollector.partitionCount {
      moved.drain(list, remembering: RecordBase()) { base, record in
        base.take(record)
        arena.append(base.fact(record), key: base.key, device: nil, to: list)
      }
    }
    pool.trim()
  }

  /// Gives the memory of facts that were spilled to the system.
  mutating func trim() { pool.trim() }

  /// The memory that facts take.
  var heldBytes: Int { arena.byteCount + anonymous.byteCount }

  /// Lays all facts aside and begins anew; codes of actions and contexts stay.
  mutating func spill(_ writer: SegmentWriter) throws(SpillError) -> Segment {
    var spiller = SegmentSpiller(writer)
    try spiller.write(
      arena, firstList: Segment.personLists, notesDevices: schema.identity == .stitched)
    try spiller.write(anonymous, firstList: Segment.anonymousLists, notesDevices: false)
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
    var start = 0
    for (run, end) in runs.ends.enumerated() {
      let facts = runs.facts[start..<end]
      start = end
      let (key, device) = (keys[run], runs.devices[run])
      if !key.isMissing {
        let list = FactCollector.partition(of: key)
        for fact in facts {
          arena.append(fact, key: key, device: isStitched ? device : nil, to: list)
        }
      } else if isStitched && !device.isMissing {
        let list = FactCollector.partition(of: device)
        for fact in facts { anonymous.append(fact, key: device, device: nil, to: list) }
      }
    }
  }

  /// What the codes of facts that come back are made with.
  mutating func withEncoder(_ body: (inout FactEncoder) throws -> Void) rethrows {
    try body(&encoder)
  }
}
