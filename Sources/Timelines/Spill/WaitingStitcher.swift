internal import EventInput

/// Gives the facts that `DeviceStitcher` let wait to the users who were seen at their time.
struct WaitingStitcher: PartitionPass {
  typealias Problem = SpillError

  private let waiting: [Segment]
  private let moments: [Segment]
  private let united: UnitedUsers
  private let limit: Int64
  private let watchedDevices: Set<IdentifierHash>
  private var stitched: SegmentWriter
  private var share = StitchedShare()
  private var facts: [Fact] = []

  /// - Parameters:
  ///   - waiting: facts by partition of their device.
  ///   - moments: when users were seen on these devices, as `SightingFinder` found it.
  ///   - limit: how far from a fact a user may be seen to be its owner.
  ///   - stitched: takes the facts with their persons.
  init(
    waiting: [Segment], moments: [Segment], united: UnitedUsers, limit: Int64,
    watchedDevices: Set<IdentifierHash>, stitched: SegmentFile
  ) {
    self.waiting = waiting
    self.moments = moments
    self.united = united
    self.limit = limit
    self.watchedDevices = watchedDevices
    self.stitched = SegmentWriter(stitched, lists: FactCollector.partitionCount, worker: nil)
  }

  mutating func take(partition: Int) throws(SpillError) {
    let lists = try SegmentBytes.read(partition, of: waiting)
    if lists.isEmpty { return }
    let seen = try sightings(on: devices(of: lists), partition: partition)
    for list in lists {
      try list.forEachRecord { (head, reader) throws(SpillError) in
        try list.read(head, from: &reader, codes: nil, into: &facts)
        try give(head.key, seen[head.key] ?? [])
      }
    }
  }

  mutating func finish() throws(SpillError) -> StitchedShare {
    share.stitched = [try stitched.finish()]
    return share
  }

  private func devices(of lists: [SegmentBytes]) throws(SpillError) -> Set<IdentifierHash> {
    var devices: Set<IdentifierHash> = []
    for list in lists {
      try list.forEachRecord { (head, _) throws(SpillError) in devices.insert(head.key) }
    }
    return devices
  }

  /// Each device's sightings in order of time.
  private func sightings(
    on devices: Set<IdentifierHash>, partition: Int
  ) throws(SpillError) -> [IdentifierHash: [Sighting]] {
    var found: [IdentifierHash: [Sighting]] = [:]
    for list in try SegmentBytes.read(partition, of: moments) {
      try list.forEachRecord { (head, reader) throws(SpillError) in
        guard devices.contains(head.key) else { return }
        let user = united.person(of: head.partner)
        SightingCoding.readMoments(head.count, from: &reader) { moment in
          found[head.key, default: []].append(.init(timeMilliseconds: moment, user: user))
        }
      }
    }
    for device in found.keys {
      found[device]?.sort { $0.timeMilliseconds < $1.timeMilliseconds }
    }
    return found
  }

  /// Gives a device's facts away, as many at once as have one owner.
  private mutating func give(
    _ device: IdentifierHash, _ seen: [Sighting]
  ) throws(SpillError) {
    var rest = facts[...]
    while let first = rest.first {
      let owner = owner(of: first, on: device, seen)
      let part = rest.prefix { self.owner(of: $0, on: device, seen) == owner }
      rest = rest.dropFirst(part.count)
      if owner != device { share.stitchedFacts += part.count }
      let person = united.person(of: owner)
      if watchedDevices.contains(device) { share.watchedPersons.insert(person) }
      let list = Segment.personLists + FactCollector.partition(of: person)
      try stitched.append(part.count, of: person, to: list) { part[part.startIndex + $0] }
    }
  }

  private func owner(
    of fact: Fact, on device: IdentifierHash, _ seen: [Sighting]
  ) -> IdentifierHash {
    Sighting.owner(of: fact.timeMilliseconds, seen: seen, within: limit) ?? device
  }
}
