internal import EventInput

/// Gathers one partition from all workers: counting sort by person, sort by time, no repetitions.
///
/// Persons are numbered partition by partition, in tables that fit the caches.
struct PartitionAssembler: PartitionGathering {
  let collectors: [FactCollector]
  let codes: [CodeMap]

  func assemble(partition: Int) -> AssembledPartition {
    let total = logs(partition).reduce(0) { $0 + $1.log.count(partition) }
    var persons = IdentifierTable(minimumCapacity: max(64, total / 8))
    var counts: [Int] = []
    // Whose facts follow, in the order in which records tell keys: nobody is looked up twice.
    var told: [UInt32] = []
    for (log, _) in logs(partition) {
      log.forEach(partition, remembering: 0) { number, record in
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
    let facts = scatter(partition, told, starts: starts, total: total)
    return AssembledPartition(keys: persons.keys, starts: starts, facts: facts)
  }

  /// Gives the workers' memory of a partition back; it can't be gathered again.
  func release(partition: Int) {
    for (log, _) in logs(partition) { log.release(partition) }
  }

  func count(partition: Int, in days: inout PersonDays) {
    days.beginPartition()
    for (log, _) in logs(partition) {
      log.forEach(partition, remembering: UInt32(0)) { person, record in
        if record.tellsKey { person = days.number(of: record.key) }
        days.add(person, at: record.timeMilliseconds)
      }
    }
  }

  /// What has facts of a partition: of users, and of devices that are nobody's.
  private func logs(_ partition: Int) -> [(log: FactLog, codes: CodeMap)] {
    zip(collectors, codes).flatMap { collector, codes in
      [(collector.state.arena, codes), (collector.state.anonymous, codes)]
        .filter { $0.0.count(partition) > 0 }
    }
  }

  /// What a slot of a log remembers: the person's number, and codes of the run.
  private struct Memory {
    var person = 0
    var context: UInt32 = 0
    var session: UInt32 = 0
  }

  private func scatter(
    _ partition: Int, _ told: [UInt32], starts: [Int], total: Int
  ) -> [Fact] {
    var cursors = starts
    var next = 0
    return [Fact](unsafeUninitializedCapacity: total) { buffer, initialized in
      for (log, codes) in logs(partition) {
        let (actions, contexts) = (codes.actions, codes.contexts)
        log.forEach(partition, remembering: Memory()) { memory, record in
          if record.tellsKey {
            memory.person = Int(told[next])
            next += 1
          }
          if record.tellsContext { memory.context = contexts[Int(record.context)] }
          if record.tellsSession { memory.session = record.session }
          let cursor = cursors[memory.person]
          cursors[memory.person] = cursor + 1
          buffer.initializeElement(
            at: cursor,
            to: Fact(
              timeMilliseconds: record.timeMilliseconds, action: actions[Int(record.action)],
              context: memory.context, session: memory.session, message: record.message))
        }
      }
      initialized = total
    }
  }
}
