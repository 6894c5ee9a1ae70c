internal import EventInput

/// Arenas → segment: partition by partition, sorted by key and time, delta-coded.
struct SegmentSpiller {
  /// Records end here, so that a chunk stays small however many facts a person has.
  private static let maximumFacts = 4096
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
  ///   - devices: the keys of `device` numbers, where it is to be noted who was seen on which.
  mutating func write(
    _ arena: FactArena, firstList: Int, keys: [IdentifierHash], devices: [IdentifierHash]? = nil
  ) throws(SpillError) {
    var grouping = FactGrouping(arena, keys: keys)
    for partition in 0..<FactCollector.partitionCount where arena.count(partition) > 0 {
      grouping.group(arena, list: partition)
      let list = firstList + partition
      try grouping.forEachRun { (key, run) throws(SpillError) in
        try write(run, of: key, list: list)
        if let devices { try see(run, user: key, devices) }
      }
      try writer.close(list)
    }
  }

  private mutating func write(
    _ run: Run, of key: IdentifierHash, list: Int
  ) throws(SpillError) {
    for start in stride(from: 0, to: run.count, by: SegmentSpiller.maximumFacts) {
      let count = min(SegmentSpiller.maximumFacts, run.count - start)
      let head = RecordHead(key: key, count: UInt32(count))
      let buffer = writer.buffer(list)
      buffer.append(head, atMost: FactCoding.maximumBytes(count)) { writer in
        FactCoding.append(count, to: &writer) { run[start + $0].fact }
      }
      try writer.flushIfLarge(list)
    }
  }

  /// Notes on which devices, and when, the user of a run was seen.
  private mutating func see(
    _ run: Run, user: IdentifierHash, _ devices: [IdentifierHash]
  ) throws(SpillError) {
    guard let first = run.first else { return }
    if run.allSatisfy({ $0.device == first.device }) {
      return try see(run, on: first.device, user: user, devices)
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
        try see(Run(rebasing: part), on: next.device, user: user, devices)
      }
    }
  }

  /// One user on one device, in order of time.
  private mutating func see(
    _ seen: Run, on device: UInt32, user: IdentifierHash, _ devices: [IdentifierHash]
  ) throws(SpillError) {
    if device == .max { return }
    let device = devices[Int(device)]
    let list = Segment.sightingLists + FactCollector.partition(of: device)
    for start in stride(from: 0, to: seen.count, by: SegmentSpiller.maximumFacts) {
      let count = min(SegmentSpiller.maximumFacts, seen.count - start)
      let buffer = writer.buffer(list)
      let head = RecordHead(key: device, count: UInt32(count))
      buffer.append(head, atMost: SightingCoding.maximumBytes(count)) { writer in
        SightingCoding.append(user, count, to: &writer) { seen[start + $0].fact }
      }
      try writer.flushIfLarge(list)
    }
  }
}
