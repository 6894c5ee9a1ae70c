internal import EventInput

/// Arenas → segment: partition by partition, sorted by key and time, delta-coded.
struct SegmentSpiller {
  /// Records end here, so that a chunk stays small however many facts a person has.
  private static let maximumFacts = 4096
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
    var grouping = FactGrouping(keyCount: keys.count)
    for partition in 0..<FactCollector.partitionCount where arena.count(partition) > 0 {
      grouping.group(arena, list: partition, keys: keys)
      let list = firstList + partition
      for run in grouping.runs {
        try write(grouping.facts[run], keys: keys, list: list)
        if let devices { try see(grouping.facts[run], keys: keys, devices: devices) }
      }
      try writer.close(list)
    }
  }

  private mutating func write(
    _ run: ArraySlice<CollectedFact>, keys: [IdentifierHash], list: Int
  ) throws(SpillError) {
    var rest = run
    while let first = rest.first {
      let part = rest.prefix(SegmentSpiller.maximumFacts)
      rest = rest.dropFirst(part.count)
      let head = RecordHead(key: keys[Int(first.person)], count: UInt32(part.count))
      let buffer = writer.buffer(list)
      part.withUnsafeBufferPointer { facts in
        buffer.append(head, atMost: facts.count * FactCoding.maximumBytes) { writer in
          FactCoding.append(facts.count, to: &writer) { facts[$0].fact }
        }
      }
      try writer.flushIfLarge(list)
    }
  }

  /// Notes on which devices, and when, the user of a run was seen.
  private mutating func see(
    _ run: ArraySlice<CollectedFact>, keys: [IdentifierHash], devices: [IdentifierHash]
  ) throws(SpillError) {
    guard let first = run.first else { return }
    if run.allSatisfy({ $0.device == first.device }) {
      return try see(run, user: keys[Int(first.person)], devices: devices)
    }
    let byDevice = run.sorted {
      $0.device != $1.device
        ? $0.device < $1.device : $0.fact.timeAndAction < $1.fact.timeAndAction
    }
    var rest = byDevice[...]
    while let next = rest.first {
      let part = rest.prefix { $0.device == next.device }
      rest = rest.dropFirst(part.count)
      try see(part, user: keys[Int(first.person)], devices: devices)
    }
  }

  /// One user on one device, in order of time.
  private mutating func see(
    _ seen: ArraySlice<CollectedFact>, user: IdentifierHash, devices: [IdentifierHash]
  ) throws(SpillError) {
    guard let first = seen.first, first.device != .max else { return }
    let device = devices[Int(first.device)]
    let list = Segment.sightingLists + FactCollector.partition(of: device)
    var rest = seen
    while !rest.isEmpty {
      let part = rest.prefix(SegmentSpiller.maximumFacts)
      rest = rest.dropFirst(part.count)
      let buffer = writer.buffer(list)
      part.withUnsafeBufferPointer { facts in
        let head = RecordHead(key: device, count: UInt32(facts.count))
        buffer.append(head, atMost: SightingCoding.maximumBytes(facts.count)) { writer in
          SightingCoding.append(user, facts.count, to: &writer) { facts[$0].fact }
        }
      }
      try writer.flushIfLarge(list)
    }
  }
}
