internal import EventInput

/// A partition on disk: persons one behind the other, sorted, without repetitions.
struct StoredPartition: Sendable {
  private let segment: Segment
  let personCount: Int
  let factCount: Int

  init(_ partition: TimelinePartition, in file: SegmentFile) throws(SpillError) {
    personCount = partition.personCount
    factCount = partition.facts.count
    var writer = SegmentWriter(file, lists: 1, worker: nil)
    for person in 0..<partition.personCount {
      let start = partition.starts[person]
      let count = partition.starts[person + 1] - start
      try writer.append(count, of: partition.keys[person], to: 0) { partition.facts[start + $0] }
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
      FactCoding.read(head.count, from: &reader) { _, fact in facts.append(fact) }
    }
    starts.append(facts.count)
    guard facts.count == factCount, keys.count == personCount else { throw list.damaged }
    return TimelinePartition(keys: keys, starts: starts, facts: facts)
  }
}
