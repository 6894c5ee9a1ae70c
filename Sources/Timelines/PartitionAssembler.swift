internal import EventInput

/// Gathers one partition from all workers: counting sort by person, sort by time, no repetitions.
struct PartitionAssembler: Sendable {
  struct Assembled: Sendable {
    var partition: TimelinePartition
    var repeatedFacts: Int
    var latestMoments: [Int64]

    /// Sorts each person's facts and drops repetitions.
    init(keys: [IdentifierHash], starts: [Int], facts: [Fact]) {
      var starts = starts
      var facts = facts
      let total = facts.count
      let kept = FactSorting.sortEachAndDropRepetitions(&facts, starts: &starts)
      if kept < total { facts.removeLast(total - kept) }
      partition = TimelinePartition(keys: keys, starts: starts, facts: facts)
      repeatedFacts = total - kept
      latestMoments = Horizon.latestMoments(partition)
    }
  }

  private let collectors: [FactCollector]
  private let codes: [CodeMap]
  /// By collector.
  private let places: [PersonPlaces]

  init(collectors: [FactCollector], codes: [CodeMap]) {
    self.collectors = collectors
    self.codes = codes
    places = collectors.map { PersonPlaces(count: $0.state.persons.count) }
  }

  func assemble(partition: Int) -> Assembled {
    let total = collectors.reduce(0) { $0 + $1.state.arena.count(partition) }
    var persons = IdentifierTable(minimumCapacity: max(64, total / 8))
    var counts: [Int] = []
    for (collector, places) in zip(collectors, places) {
      let keys = collector.state.persons.keys
      collector.state.arena.forEach(partition) { collected in
        var place = places[collected.person]
        if place == .max {
          place = persons.intern(keys[Int(collected.person)])
          places[collected.person] = place
          if Int(place) == counts.count { counts.append(0) }
        }
        counts[Int(place)] += 1
      }
    }
    var starts = [0]
    starts.reserveCapacity(counts.count + 1)
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    return Assembled(
      keys: persons.keys, starts: starts, facts: scatter(partition, starts: starts, total: total))
  }

  private func scatter(_ partition: Int, starts: [Int], total: Int) -> [Fact] {
    var cursors = starts
    return [Fact](unsafeUninitializedCapacity: total) { buffer, initialized in
      for (worker, collector) in collectors.enumerated() {
        let actions = codes[worker].actions
        let contexts = codes[worker].contexts
        let places = places[worker]
        collector.state.arena.forEach(partition) { collected in
          let person = Int(places[collected.person])
          let fact = collected.fact
          buffer.initializeElement(
            at: cursors[person],
            to: Fact(
              timeMilliseconds: fact.timeMilliseconds, action: actions[Int(fact.action)],
              context: contexts[Int(fact.context)], session: fact.session))
          cursors[person] += 1
        }
        collector.state.arena.release(partition)
      }
      initialized = total
    }
  }
}
