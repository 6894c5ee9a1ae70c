internal import EventInput

/// Gives the device-only facts of segments to their persons, one partition of devices at a time.
struct DeviceStitcher {
  private let segments: [Segment]
  private let codes: [CodeMap]
  private let united: UnitedUsers
  private let watchedDevice: IdentifierHash
  private let target: SegmentFile
  private let maximumBytes: Int
  private var persons = IdentifierTable()
  private let arena = FactArena(
    lists: FactCollector.partitionCount, pool: ChunkPool())
  /// What it has written: facts by partition of their person, with the codes of the run.
  private(set) var stitched: [Segment] = []
  private(set) var counts = TimelineCounts()
  private(set) var watchedPersons: Set<IdentifierHash> = []

  /// - Parameters:
  ///   - target: takes the facts that have found their persons.
  ///   - maximumBytes: how much of them stands in memory.
  init(
    _ segments: [Segment], codes: [CodeMap], united: UnitedUsers, watchedDevice: IdentifierHash,
    target: SegmentFile, maximumBytes: Int
  ) {
    self.united = united
    self.segments = segments
    self.codes = codes
    self.watchedDevice = watchedDevice
    self.target = target
    self.maximumBytes = maximumBytes
  }

  mutating func stitch(partition: Int) throws(SpillError) {
    let sightings = try SegmentBytes.read(Segment.sightingLists + partition, of: segments)
    let resolution = try DeviceResolution(sightings: sightings, united: united)
    counts.sharedDevices += resolution.sharedDevices
    counts.devicesWithSeveralUsers += resolution.devicesWithSeveralUsers
    if !watchedDevice.isMissing && FactCollector.partition(of: watchedDevice) == partition {
      watchedPersons.formUnion(
        try DeviceResolution.users(on: watchedDevice, sightings).map(united.person(of:)))
    }
    for list in try SegmentBytes.read(Segment.anonymousLists + partition, of: segments) {
      let codes = list.segment.worker.map { self.codes[$0] } ?? CodeMap()
      try list.forEachRecord { (head, reader) throws(SpillError) in
        var isDamaged = false
        FactCoding.read(Int(head.count), from: &reader) { _, fact in
          guard let fact = codes(fact) else {
            isDamaged = true
            return
          }
          give(fact, on: head.key, resolution)
        }
        if isDamaged { throw list.damaged }
        if heldBytes > maximumBytes { try spill() }
      }
    }
    if !united.isEmpty { try unite(partition: partition) }
  }

  /// Gives the facts of users who are another person to that person; where they stood they are
  /// passed over from now on (`SegmentAssembler`).
  private mutating func unite(partition: Int) throws(SpillError) {
    for list in try SegmentBytes.read(Segment.personLists + partition, of: segments) {
      let codes = list.segment.worker.map { self.codes[$0] } ?? CodeMap()
      try list.forEachRecord { (head, reader) throws(SpillError) in
        let owner = united.person(of: head.key)
        if owner == head.key { return }
        let (person, target) = (persons.intern(owner), FactCollector.partition(of: owner))
        var isDamaged = false
        FactCoding.read(Int(head.count), from: &reader) { _, fact in
          guard let fact = codes(fact) else {
            isDamaged = true
            return
          }
          arena.append(fact, person: person, to: target)
        }
        if isDamaged { throw list.damaged }
        if heldBytes > maximumBytes { try spill() }
      }
    }
  }

  /// Writes what is left.
  mutating func finish() throws(SpillError) {
    if !arena.isEmpty { try spill() }
  }

  private mutating func give(
    _ fact: Fact, on device: IdentifierHash, _ resolution: borrowing DeviceResolution
  ) {
    let owner = resolution.owner(ofDevice: device, at: fact.timeMilliseconds)
    if owner != device { counts.stitchedFacts += 1 }
    if device == watchedDevice { watchedPersons.insert(owner) }
    arena.append(
      fact, person: persons.intern(owner), to: FactCollector.partition(of: owner))
  }

  private var heldBytes: Int {
    arena.byteCount + persons.byteCount
  }

  private mutating func spill() throws(SpillError) {
    let writer = SegmentWriter(target, lists: FactCollector.partitionCount, worker: nil)
    var spiller = SegmentSpiller(writer)
    try spiller.write(arena, firstList: Segment.personLists, keys: persons.keys)
    stitched.append(try spiller.finish())
    persons = IdentifierTable()
    arena.forgetPersons()
  }
}
