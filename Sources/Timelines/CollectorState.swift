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

  init(schema: FactSchema, latestMilliseconds: Int64) {
    self.schema = schema
    self.latestMilliseconds = latestMilliseconds
    encoder = FactEncoder(schema)
    let pool = ChunkPool()
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

  /// The memory that facts take.
  var heldBytes: Int { unsafe arena.byteCount + anonymous.byteCount }

  /// Spills all facts; codes of actions and contexts stay.
  ///
  /// - Returns: about what describes them takes in memory.
  func spill(to file: SegmentFile) throws(SpillError) -> Int {
    try arena.spill(to: file) + anonymous.spill(to: file)
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
