internal import EventInput

/// A partition on disk: persons one behind the other, sorted, without repetitions.
struct StoredPartition: Sendable {
  private static let maximumFacts = 4096
  private let segment: Segment
  let personCount: Int
  let factCount: Int

  init(_ partition: TimelinePartition, in file: SegmentFile) throws(SpillError) {
    personCount = partition.personCount
    factCount = partition.facts.count
    var writer = SegmentWriter(file, lists: 1, worker: nil)
    for person in 0..<partition.personCount {
      var start = partition.starts[person]
      let end = partition.starts[person + 1]
      while start < end {
        let count = min(StoredPartition.maximumFacts, end - start)
        let head = RecordHead(key: partition.keys[person], count: UInt32(count))
        let buffer = writer.buffer(0)
        let first = start
        buffer.append(head, atMost: FactCoding.maximumBytes(count)) { writer in
          FactCoding.append(count, to: &writer) { partition.facts[first + $0] }
        }
        try writer.flushIfLarge(0)
        start += count
      }
    }
    segment = try writer.finish()
  }

  func load() throws(SpillError) -> TimelinePartition {
    var keys: [IdentifierHash] = []
    keys.reserveCapacity(personCount)
    var starts: [Int] = []
    starts.reserveCapacity(personCount + 1)
    var facts: [Fact] = []
    facts.reserveCapacity(factCount)
    let list = try SegmentBytes(segment, list: 0)
    try list.forEachRecord { (head, reader) throws(SpillError) in
      // A long timeline has several records.
      if keys.last != head.key {
        keys.append(head.key)
        starts.append(facts.count)
      }
      FactCoding.read(Int(head.count), from: &reader) { _, fact in facts.append(fact) }
    }
    starts.append(facts.count)
    guard facts.count == factCount, keys.count == personCount else { throw list.damaged }
    return TimelinePartition(keys: keys, starts: starts, facts: facts)
  }
}
