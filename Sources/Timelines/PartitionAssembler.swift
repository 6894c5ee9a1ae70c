internal import EventInput

/// Gathers one partition from all logs: counting sort by person, sort by time, no repetitions.
///
/// Persons are numbered partition by partition, in tables that fit the caches.
struct PartitionAssembler {
  /// Of users, of devices without a user, and of what was stitched.
  let sources: [FactSource]

  /// What gathers the same facts with other codes.
  func through(_ codes: CodeMap) -> PartitionAssembler {
    PartitionAssembler(
      sources: sources.map { FactSource(log: $0.log, codes: $0.codes.through(codes)) })
  }

  /// Gathers a partition, as often as is wanted; by one task at a time.
  ///
  /// - Throws: what reading it back from disk met; so does `count`.
  func assemble(partition: Int) throws(SpillError) -> AssembledPartition {
    let total = sources.reduce(0) { $0 + $1.log.count(partition) }
    let lists = try lists(partition)
    var persons = IdentifierTable(minimumCapacity: max(64, total / 8))
    var counts: [Int] = []
    // Whose facts follow, in the order in which records tell keys: nobody is looked up twice.
    var told: [UInt32] = []
    for (list, _) in lists {
      list.forEach(remembering: 0) { number, record in
        if record.tellsKey {
          let person = persons.intern(record.key)
          number = Int(person)
          if number == counts.count { counts.append(0) }
          told.append(person)
        }
        counts[number] += 1
      }
    }
    var starts = [0]
    starts.reserveCapacity(counts.count + 1)
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    let facts = scatter(lists, told, starts: starts, total: total)
    return AssembledPartition(keys: persons.keys, starts: starts, facts: facts)
  }

  /// Counts a partition's persons by date; several tasks may each count other partitions.
  func count(partition: Int, in days: inout PersonDays) throws(SpillError) {
    days.beginPartition()
    for source in sources where source.log.count(partition) > 0 {
      try source.log.read(partition).forEach(remembering: UInt32(0)) { person, record in
        if record.tellsKey { person = days.number(of: record.key) }
        days.add(person, at: record.timeMilliseconds)
      }
    }
  }

  /// What has facts of a partition.
  private func lists(
    _ partition: Int
  ) throws(SpillError) -> [(list: FactList, codes: CodeMap)] {
    var lists: [(FactList, CodeMap)] = []
    for source in sources where source.log.count(partition) > 0 {
      lists.append((try source.log.read(partition), source.codes))
    }
    return lists
  }

  /// What a slot of a log remembers: the person's number, and codes of the run.
  private struct Memory {
    var person = 0
    var context: UInt32 = 0
    var session: UInt32 = 0
  }

  /// - Parameters:
  ///   - named: the persons of records with a key, each below `starts`' last place.
  ///   - starts: where each person's facts begin.
  private func scatter(
    _ lists: [(list: FactList, codes: CodeMap)], _ named: [UInt32], starts: [Int], total: Int
  ) -> [Fact] {
    var cursors = starts
    var next = 0
    return unsafe [Fact](unsafeUninitializedCapacity: total) { buffer, initialized in
      unsafe cursors.withUnsafeMutableBufferPointer { cursors in
        for (list, codes) in lists {
          let (actions, contexts) = (codes.actions, codes.contexts)
          list.forEach(remembering: Memory()) { memory, record in
            if record.tellsKey {
              memory.person = Int(named[next])
              next += 1
            }
            if record.tellsContext { memory.context = contexts[Int(record.context)] }
            if record.tellsSession { memory.session = record.session }
            let cursor = unsafe cursors[memory.person]
            unsafe cursors[memory.person] = cursor &+ 1
            unsafe buffer.initializeElement(
              at: cursor,
              to: Fact(
                timeMilliseconds: record.timeMilliseconds, action: actions[Int(record.action)],
                context: memory.context, session: memory.session, message: record.message))
          }
        }
      }
      initialized = total
    }
  }
}
