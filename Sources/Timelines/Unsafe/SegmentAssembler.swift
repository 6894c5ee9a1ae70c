internal import EventInput

/// Gathers one partition from segments; the twin of `PartitionAssembler`.
struct SegmentAssembler: PartitionGathering {
  let segments: [Segment]
  /// By worker.
  let codes: [CodeMap]
  /// Facts of users who are another person stand with that person once more.
  let united: UnitedUsers

  func assemble(partition: Int) throws(SpillError) -> AssembledPartition {
    let lists = try SegmentBytes.read(Segment.personLists + partition, of: segments)
    var keys: [IdentifierHash] = []
    var recordCounts: [Int] = []
    for list in lists {
      try list.forEachRecord { (head, _) throws(SpillError) in
        // Users who are another person are passed over: missing, they have no number.
        keys.append(united.person(of: head.key) == head.key ? head.key : .missing)
        recordCounts.append(head.count)
      }
    }
    var persons = IdentifierTable()
    let numbers = persons.intern(all: keys)
    var counts = [Int](repeating: 0, count: persons.count)
    for (number, count) in zip(numbers, recordCounts) where number != .max {
      counts[Int(number)] += count
    }
    var starts = [0]
    starts.reserveCapacity(counts.count + 1)
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    let facts = try scatter(lists, numbers: numbers, starts: starts)
    return AssembledPartition(keys: persons.keys, starts: starts, facts: facts)
  }

  private func scatter(
    _ lists: [SegmentBytes], numbers: [UInt32], starts: [Int]
  ) throws(SpillError) -> [Fact] {
    let total = starts[starts.count - 1]
    var cursors = starts
    var problem: SpillError?
    let facts = [Fact](unsafeUninitializedCapacity: total) { buffer, initialized in
      var record = 0
      do throws(SpillError) {
        for list in lists {
          let codes = list.segment.worker.map { self.codes[$0] }
          try list.forEachRecord { (head, reader) throws(SpillError) in
            let number = numbers[record]
            record += 1
            if number == .max { return }
            let person = Int(number)
            let start = cursors[person]
            var isDamaged = false
            FactCoding.read(head.count, from: &reader) { index, fact in
              var own = fact
              if let codes {
                if let mapped = codes(fact) { own = mapped } else { isDamaged = true }
              }
              buffer.initializeElement(at: start + index, to: own)
            }
            if isDamaged { throw list.damaged }
            cursors[person] += head.count
          }
        }
        initialized = total
      } catch {
        problem = error
        initialized = 0
      }
    }
    if let problem { throw problem }
    return facts
  }

  func count(partition: Int, in days: inout PersonDays) throws(SpillError) {
    days.beginPartition()
    for list in try SegmentBytes.read(Segment.personLists + partition, of: segments) {
      try list.forEachRecord { (head, reader) throws(SpillError) in
        if united.person(of: head.key) != head.key { return }
        let person = days.number(of: head.key)
        FactCoding.read(head.count, from: &reader) { _, fact in
          days.add(person, at: fact.timeMilliseconds)
        }
      }
    }
  }
}
