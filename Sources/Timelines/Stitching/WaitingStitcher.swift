internal import EventInput

/// Gives the facts that `DeviceStitcher` let wait to the users who were seen at their time, and
/// facts of users who are another person to that person.
struct WaitingStitcher: PartitionPass {
  /// What a slot of a log remembers.
  private struct Memory {
    var base = RecordBase()
    /// The device's number among those of the partition; `nil` if nobody was seen there.
    var device: Int?
    var isWatched = false
  }

  private let stitching: Stitching
  private let waiting: [FactLog]
  private let moments: [FactLog]
  private let unitedPartitions: Set<Int>
  private var stitched: StitchedFacts

  /// - Parameters:
  ///   - waiting: facts by partition of their device, with the codes of the run.
  ///   - moments: when users were seen on these devices, as `MomentSweep` found it.
  init(_ stitching: Stitching, waiting: [FactLog], moments: [FactLog]) {
    self.stitching = stitching
    self.waiting = waiting
    self.moments = moments
    unitedPartitions = stitching.united.partitions
    stitched = StitchedFacts(stitching)
  }

  mutating func take(partition: Int) throws(SpillError) {
    if waiting.contains(where: { $0.count(partition) > 0 }) {
      try giveByTime(partition: partition)
    }
    guard unitedPartitions.contains(partition) else { return }
    // A device of nobody may be known as somebody's other id, where both are of one space.
    for source in stitching.users + stitching.devices {
      try stitched.unite(source, partition: partition)
    }
  }

  mutating func finish() throws(SpillError) -> StitchedShare { try stitched.finish() }

  private mutating func giveByTime(partition: Int) throws(SpillError) {
    let (devices, seen) = try sightings(partition: partition)
    let limit = stitching.limit
    for log in waiting {
      try log.read(partition).forEach(remembering: Memory()) { memory, record in
        memory.base.take(record)
        let device = memory.base.key
        if record.tellsKey {
          memory.device = devices.find(device).map { Int($0) }
          memory.isWatched = stitching.watchedDevices.contains(device)
        }
        let owner = memory.device.flatMap {
          Sighting.owner(of: record.timeMilliseconds, seen: seen[$0], within: limit)
        }
        stitched.give(
          memory.base.fact(record), of: device, to: owner ?? device, isWatched: memory.isWatched)
      }
      try stitched.giveUp(log, partition)
    }
  }

  /// A partition's devices of several users, and each one's sightings in order of time.
  private func sightings(
    partition: Int
  ) throws(SpillError) -> (devices: IdentifierTable, seen: [[Sighting]]) {
    var devices = IdentifierTable()
    var all: [[Sighting]] = []
    for log in moments {
      try log.read(partition).forEach(remembering: RecordBase()) { base, record in
        base.take(record)
        let device = Int(devices.intern(base.key))
        if device == all.count { all.append([]) }
        all[device].append(
          Sighting(
            timeMilliseconds: record.timeMilliseconds,
            user: stitching.united.person(of: base.device)))
      }
    }
    for device in all.indices { all[device].sort { $0.timeMilliseconds < $1.timeMilliseconds } }
    return (devices, all)
  }
}
