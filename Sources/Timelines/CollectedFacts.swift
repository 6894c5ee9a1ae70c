internal import EventInput
internal import Synchronization

/// The facts as they were collected, gathered partition by partition whenever one is visited.
///
/// For timelines that are visited once: a partition is evaluated while it is still in the caches,
/// and its memory serves for the next.
final class CollectedFacts: Sendable {
  private struct Counts {
    var facts: Int
    var persons: Int
    var repeatedFacts: Int
  }

  /// What is known of a partition, nothing before its first visit; one task at a time gathers it.
  private final class Visits: Sendable {
    let counts = Mutex<Counts?>(nil)
  }

  private let gatherer: any PartitionGathering
  private let visits = (0..<FactCollector.partitionCount).map { _ in Visits() }
  private let foundHorizon = Mutex<Int64?>(nil)

  init(_ gatherer: any PartitionGathering) {
    self.gatherer = gatherer
  }

  func partition(_ index: Int) throws(SpillError) -> TimelinePartition {
    try visits[index].counts.withLock { counts throws(SpillError) in
      let assembled = try gatherer.assemble(partition: index)
      counts = Counts(
        facts: assembled.partition.facts.count, persons: assembled.partition.personCount,
        repeatedFacts: assembled.repeatedFacts)
      return assembled.partition
    }
  }

  /// The sums over all partitions; those that nobody visited yet are gathered for them.
  func counts(beside own: TimelineCounts) throws(SpillError) -> TimelineCounts {
    var sum = own
    for index in visits.indices {
      if visits[index].counts.withLock({ $0 == nil }) { _ = try partition(index) }
      visits[index].counts.withLock { found in
        sum.facts += found?.facts ?? 0
        sum.persons += found?.persons ?? 0
        sum.repeatedFacts += found?.repeatedFacts ?? 0
      }
    }
    return sum
  }

  /// The moment up to which the facts are taken to be complete; no partition is gathered for it.
  func horizon() throws(SpillError) -> Int64? {
    try foundHorizon.withLock { found throws(SpillError) in
      if let found { return found }
      var search = HorizonSearch()
      try gatherer.add(to: &search)
      found = search.finish()
      return found
    }
  }
}
