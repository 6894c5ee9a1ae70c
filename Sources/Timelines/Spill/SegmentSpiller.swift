internal import EventInput

/// Logs → segment: partition by partition, sorted by key and time, delta-coded.
struct SegmentSpiller {
  /// One person's facts, in order of time.
  private typealias Run = UnsafeBufferPointer<FactOnDevice>
  private var writer: SegmentWriter

  init(_ writer: SegmentWriter) { self.writer = writer }

  mutating func finish() throws(SpillError) -> Segment { try writer.finish() }

  /// Writes the facts of all partitions and empties the log.
  ///
  /// - Parameters:
  ///   - firstList: the segment's list for partition 0.
  ///   - notesDevices: whether it is written who was seen on which device.
  mutating func write(
    _ log: FactLog, firstList: Int, notesDevices: Bool
  ) throws(SpillError) {
    var grouping = FactGrouping()
    for partition in 0..<FactCollector.partitionCount where log.count(partition) > 0 {
      grouping.group(log, list: partition)
      let list = firstList + partition
      try grouping.forEachRun { (key, run) throws(SpillError) in
        if notesDevices {
          try writeByDevice(run, of: key, list: list)
        } else {
          try write(run, of: key, on: .missing, list: list)
        }
      }
      try writer.close(list)
    }
  }

  /// Writes the facts of a user, one device after the other.
  private mutating func writeByDevice(
    _ run: Run, of user: IdentifierHash, list: Int
  ) throws(SpillError) {
    guard let first = run.first else { return }
    if run.allSatisfy({ $0.device == first.device }) {
      return try writeSeen(run, of: user, on: first.device, list: list)
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
        try writeSeen(Run(rebasing: part), of: user, on: next.device, list: list)
      }
    }
  }

  /// Writes facts of a user on one device, and from when to when the user was seen there.
  private mutating func writeSeen(
    _ run: Run, of user: IdentifierHash, on device: IdentifierHash, list: Int
  ) throws(SpillError) {
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
