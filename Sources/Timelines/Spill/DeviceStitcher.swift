internal import EventInput

/// Gives the device-only facts of segments to their persons, one partition of devices at a time.
///
/// All of a record mostly has one owner: then it goes to its owner as it is. Records
/// of devices that several users have used wait: when those were seen there must be known first.
struct DeviceStitcher: PartitionPass {
  typealias Problem = SpillError

  private let segments: [Segment]
  private let codes: [CodeMap]
  private let united: UnitedUsers
  private let limit: Int64
  private let watchedDevices: Set<IdentifierHash>
  private var stitched: SegmentWriter
  private var waiting: SegmentWriter
  private var share = StitchedShare()
  private var facts: [Fact] = []

  /// - Parameters:
  ///   - limit: how far from a fact a user may be seen to be its owner.
  ///   - stitched: takes the facts that have found their persons.
  ///   - waiting: takes those for which the time decides.
  init(
    _ segments: [Segment], codes: [CodeMap], united: UnitedUsers, limit: Int64,
    watchedDevices: Set<IdentifierHash>, stitched: SegmentFile, waiting: SegmentFile
  ) {
    self.segments = segments
    self.codes = codes
    self.united = united
    self.limit = limit
    self.watchedDevices = watchedDevices
    self.stitched = SegmentWriter(stitched, lists: FactCollector.partitionCount, worker: nil)
    self.waiting = SegmentWriter(waiting, lists: FactCollector.partitionCount, worker: nil)
  }

  mutating func take(partition: Int) throws(SpillError) {
    let pairs = try SegmentBytes.read(Segment.sightingLists + partition, of: segments)
    let users = try DeviceUsers(pairs, united: united, within: limit)
    share.sharedDevices += users.sharedCount
    share.devicesWithSeveralUsers += users.severalCount
    if watchedDevices.contains(where: { FactCollector.partition(of: $0) == partition }) {
      try watch(pairs)
    }
    for list in try SegmentBytes.read(Segment.anonymousLists + partition, of: segments) {
      let codes = list.segment.worker.map { self.codes[$0] }
      try list.forEachRecord { (head, reader) throws(SpillError) in
        try list.read(head, from: &reader, codes: codes, into: &facts)
        switch users.owner(of: head.key) {
        case .always(let owner): try give(facts[...], to: owner, from: head.key)
        case .near(let owner, let times): try give(to: owner, from: head.key, within: times)
        case .byTime: try wait(on: head.key, list: partition)
        }
      }
    }
    try waiting.close(partition)
    if !united.isEmpty { try unite(partition: partition) }
  }

  mutating func finish() throws(SpillError) -> StitchedShare {
    share.stitched = [try stitched.finish()]
    share.waiting = [try waiting.finish()]
    return share
  }

  /// Gives facts, which are in order of time, to a user as far as they lie in a span of time; the
  /// others stay with the device.
  private mutating func give(
    to owner: IdentifierHash, from device: IdentifierHash, within times: ClosedRange<Int64>
  ) throws(SpillError) {
    let before = facts.prefix { $0.timeMilliseconds < times.lowerBound }
    let near = facts[before.endIndex...].prefix { $0.timeMilliseconds <= times.upperBound }
    try give(before, to: device, from: device)
    try give(near, to: owner, from: device)
    try give(facts[near.endIndex...], to: device, from: device)
  }

  private mutating func give(
    _ part: ArraySlice<Fact>, to owner: IdentifierHash, from device: IdentifierHash
  ) throws(SpillError) {
    if part.isEmpty { return }
    if owner != device { share.stitchedFacts += part.count }
    let owner = united.person(of: owner)
    if watchedDevices.contains(device) { share.watchedPersons.insert(owner) }
    try write(part, of: owner)
  }

  private mutating func wait(on device: IdentifierHash, list: Int) throws(SpillError) {
    share.devicesOfWaiting.insert(device)
    let facts = facts
    try waiting.append(facts.count, of: device, to: list) { facts[$0] }
  }

  private mutating func write(
    _ part: ArraySlice<Fact>, of person: IdentifierHash
  ) throws(SpillError) {
    let list = Segment.personLists + FactCollector.partition(of: person)
    try stitched.append(part.count, of: person, to: list) { part[part.startIndex + $0] }
  }

  /// Notes the users who were seen on the watched device.
  private mutating func watch(_ pairs: [SegmentBytes]) throws(SpillError) {
    for list in pairs {
      try list.forEachRecord { (head, _) throws(SpillError) in
        if watchedDevices.contains(head.key) {
          share.watchedPersons.insert(united.person(of: head.partner))
        }
      }
    }
  }

  /// Gives the facts of users who are another person to that person; where they stood they are
  /// passed over from now on (`SegmentAssembler`).
  private mutating func unite(partition: Int) throws(SpillError) {
    for list in try SegmentBytes.read(Segment.personLists + partition, of: segments) {
      let codes = list.segment.worker.map { self.codes[$0] }
      try list.forEachRecord { (head, reader) throws(SpillError) in
        let owner = united.person(of: head.key)
        if owner == head.key { return }
        try list.read(head, from: &reader, codes: codes, into: &facts)
        try write(facts[...], of: owner)
      }
    }
  }
}
