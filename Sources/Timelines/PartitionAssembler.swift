internal import EventInput

/// Gathers one partition from all workers: counting sort by person, sort by time, no repetitions.
struct PartitionAssembler: PartitionGathering {
  private let collectors: [FactCollector]
  private let codes: [CodeMap]
  /// By collector.
  private let members: [PartitionMembers]
  private let places: [PersonPlaces]

  init(collectors: [FactCollector], codes: [CodeMap]) {
    self.collectors = collectors
    self.codes = codes
    members = collectors.map {
      PartitionMembers(keys: $0.state.persons.keys, facts: $0.state.factsOfPersons)
    }
    places = collectors.map { PersonPlaces(count: $0.state.persons.count) }
  }

  func assemble(partition: Int) -> AssembledPartition {
    let total = collectors.reduce(0) { $0 + $1.state.arena.count(partition) }
    var persons = IdentifierTable(minimumCapacity: max(64, total / 8))
    var counts: [Int] = []
    for (worker, collector) in collectors.enumerated() {
      let keys = collector.state.persons.keys
      let facts = collector.state.factsOfPersons
      let places = places[worker]
      for person in members[worker].persons(partition) {
        let place = persons.intern(keys[Int(person)])
        places[person] = place
        if Int(place) == counts.count { counts.append(0) }
        counts[Int(place)] += Int(facts[Int(person)])
      }
    }
    var starts = [0]
    starts.reserveCapacity(counts.count + 1)
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    let facts = scatter(partition, starts: starts, total: total)
    return AssembledPartition(keys: persons.keys, starts: starts, facts: facts)
  }

  /// Gives the workers' memory of a partition back; it can't be gathered again.
  func release(partition: Int) {
    for collector in collectors { collector.state.arena.release(partition) }
  }

  func count(partition: Int, in days: inout PersonDays) {
    days.beginPartition()
    for (worker, collector) in collectors.enumerated() {
      let keys = collector.state.persons.keys
      // Until the partition is gathered, the date of each person's last fact stands there.
      let dayOfPerson = places[worker]
      collector.state.arena.forEach(partition) { stored in
        let day = days.add(stored.timeMilliseconds)
        if dayOfPerson[stored.person] != day {
          dayOfPerson[stored.person] = day
          days.add(keys[Int(stored.person)], on: day)
        }
      }
    }
  }

  private func scatter(_ partition: Int, starts: [Int], total: Int) -> [Fact] {
    var cursors = starts
    return [Fact](unsafeUninitializedCapacity: total) { buffer, initialized in
      for (worker, collector) in collectors.enumerated() {
        let actions = codes[worker].actions
        let contexts = codes[worker].contexts
        let places = places[worker]
        collector.state.arena.forEach(partition) { stored in
          let person = Int(places[stored.person])
          let cursor = cursors[person]
          cursors[person] = cursor + 1
          // A person's first fact of each worker carries all: the one before it is this worker's.
          buffer.initializeElement(
            at: cursor,
            to: stored.fact(
              action: actions[Int(stored.action)],
              context: stored.context.map { contexts[Int($0)] } ?? buffer[cursor - 1].context,
              session: stored.session ?? buffer[cursor - 1].session))
        }
      }
      initialized = total
    }
  }
}
