internal import EventInput

/// Arenas → segment: partition by partition, sorted by key and time, delta-coded.
struct SegmentSpiller {
  /// One person's facts, in order of time.
  private typealias Run = UnsafeBufferPointer<CollectedFact>
  private var writer: SegmentWriter

  init(_ writer: SegmentWriter) { self.writer = writer }

  mutating func finish() throws(SpillError) -> Segment { try writer.finish() }

  /// Writes the facts of all partitions and empties the arena.
  ///
  /// - Parameters:
  ///   - firstList: the segment's list for partition 0.
  ///   - keys: the keys that the facts' `person` numbers stand for.
  ///   - devices: what `device` numbers stand for, where it is to be noted who was seen on which.
  mutating func write(
    _ arena: FactArena, firstList: Int, keys: [IdentifierHash], devices: IdentifierTable? = nil
  ) throws(SpillError) {
    var grouping = FactGrouping(arena, keys: keys)
    for partition in 0..<FactCollector.partitionCount where arena.count(partition) > 0 {
      grouping.group(arena, list: partition)
      let list = firstList + partition
      try grouping.forEachRun {
        devices?.fetchKey($0.device)
      } _: { (key, run) throws(SpillError) in
        if let devices {
          try writeByDevice(run, of: key, devices.keys, list: list)
        } else {
          try write(run, of: key, on: .missing, list: list)
        }
      }
      try writer.close(list)
    }
  }

  /// Writes the facts of a user, one device after the other.
  private mutating func writeByDevice(
    _ run: Run, of user: IdentifierHash, _ devices: [IdentifierHash], list: Int
  ) throws(SpillError) {
    guard let first = run.first else { return }
    if run.allSatisfy({ $0.device == first.device }) {
      return try writeSeen(run, of: user, on: first.device, devices, list: list)
    }
    let byDevice = run.sorted {
      $0.device != $1.device
        ? $0.device < $1.device : $0.fact.timeAndAction < $1.fact.timeAndAction
    }
    try byDevice.withUnsafeBufferPointer { all throws(SpillError) in
      var rest = all[...]
      while let next = rest.first {
        let part = rest.prefix { $0.device == next.device }
        rest = rest.dropFirst(part.count)
        try writeSeen(Run(rebasing: part), of: user, on: next.device, devices, list: list)
      }
    }
  }

  /// Writes facts of a user on one device, and from when to when the user was seen there.
  private mutating func writeSeen(
    _ run: Run, of user: IdentifierHash, on device: UInt32, _ devices: [IdentifierHash], list: Int
  ) throws(SpillError) {
    let device = device == .max ? .missing : devices[Int(device)]
    try write(run, of: user, on: device, list: list)
    if device.isMissing { return }
    guard let first = run.first, let last = run.last else { return }
    let moments = [first.fact.timeMilliseconds, last.fact.timeMilliseconds]
    let seen = RecordHead(key: device, count: moments.count, partner: user)
    let sightings = Segment.sightingLists + FactCollector.partition(of: device)
    let atMost = SightingCoding.maximumBytes(moments.count)
    try writer.append(seen, to: sightings, atMost: atMost) {
      SightingCoding.append(moments, to: &$0)
    }
  }

  private mutating func write(
    _ run: Run, of key: IdentifierHash, on device: IdentifierHash, list: Int
  ) throws(SpillError) {
    try writer.append(run.count, of: key, on: device, to: list) { run[$0].fact }
  }
}
