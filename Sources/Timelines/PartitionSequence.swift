internal import EventInput
internal import Synchronization
internal import WorkerThreads

/// The facts as they were collected, gathered partition by partition whenever one is visited: a
/// partition is evaluated while it is still in the caches, and its memory serves for the next.
final class PartitionSequence: Sendable {
  private struct Counts {
    var facts: Int
    var persons: Int
    var repeatedFacts: Int
    var factsWithSameId: Int
  }

  /// What is known of a partition, nothing before its first visit; one task at a time gathers it.
  private final class Visits: Sendable {
    let counts = Mutex<Counts?>(nil)
  }

  let assembler: PartitionAssembler
  private let visits = (0..<FactCollector.partitionCount).map { _ in Visits() }

  init(_ assembler: PartitionAssembler) {
    self.assembler = assembler
  }

  func assemble(_ index: Int) throws(SpillError) -> AssembledPartition {
    try visits[index].counts.withLock { counts throws(SpillError) in
      let assembled = try assembler.assemble(partition: index)
      counts = Counts(
        facts: assembled.partition.facts.count, persons: assembled.partition.personCount,
        repeatedFacts: assembled.repeatedFacts, factsWithSameId: assembled.factsWithSameId)
      return assembled
    }
  }

  /// The sums over all partitions; those that nobody visited yet are gathered for them.
  func counts(beside own: TimelineCounts) throws(SpillError) -> TimelineCounts {
    var sum = own
    for index in visits.indices {
      if visits[index].counts.withLock({ $0 == nil }) { _ = try assemble(index) }
      visits[index].counts.withLock { found in
        sum.facts += found?.facts ?? 0
        sum.persons += found?.persons ?? 0
        sum.repeatedFacts += found?.repeatedFacts ?? 0
        sum.factsWithSameId += found?.factsWithSameId ?? 0
      }
    }
    return sum
  }

  /// Counts all persons by date; no partition is gathered for it.
  func dayCensus(threads: Int) async throws(SpillError) -> DayCensus {
    let assembler = assembler
    let next = WorkQueue()
    let workers = max(1, min(threads, FactCollector.partitionCount))
    let shares = try await Parallel.map(
      count: workers, threads: workers
    ) { (_) throws(SpillError) in
      var days = PersonDays()
      while let partition = next.take(below: FactCollector.partitionCount) {
        try assembler.count(partition: partition, in: &days)
      }
      days.finish()
      return days.census
    }
    var census = DayCensus()
    for share in shares { census.add(share) }
    return census
  }
}
