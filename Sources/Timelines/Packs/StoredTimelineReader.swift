public import EventInput
import WorkerThreads

/// Packs → timelines: the twin of `TimelineLoader` for facts that were read before.
public struct StoredTimelineReader: Sendable {
  /// Which values make up a fact of this run; packs may have kept more.
  public let schema: FactSchema
  /// The packs that are read, each with the sources that are wanted of it.
  public let packs: [StoredPackReading]
  /// How many threads read and gather, at least 1.
  public let threads: Int
  /// Facts later than this are set aside before anything else looks at them.
  public var latestMilliseconds = Int64.max
  /// A device whose owners are wanted; they come back in `Timelines.watchedPersons`.
  public var watchedDevices: Set<IdentifierHash> = []
  /// Users who are one person, by the events that the packs' facts came from.
  public var links: [UserLink] = []
  /// How much memory may be taken; as much as it takes if not given.
  public var memoryLimit: MemoryLimit?
  /// Whose the facts are, where that was found out before; else it is found out while reading.
  var owners: RunOwners?
  /// What is known of all facts, where the packs hold a part of them.
  var whole: WholeRun?

  /// A reader of everything up to any moment, without a limit of memory.
  public init(schema: FactSchema, packs: [StoredPackReading], threads: Int) {
    self.schema = schema
    self.packs = packs
    self.threads = max(1, threads)
  }

  /// What a reading gave.
  public struct Reading: Sendable {
    /// The timelines of all facts that were wanted.
    public var timelines: Timelines
    /// By pack and by the number of their source there: how many facts were met, wanted or not.
    public var factsBySource: [[Int]]
  }

  /// Reads all pieces that `next` returns; it is called from several threads.
  ///
  /// - Throws: what `next` throws, `StoredDamage` where bytes make no sense, and `SpillError` where
  ///   facts beyond the memory limit can't be spilled.
  public func read(_ next: @escaping @Sendable () throws -> StoredPiece?) async throws -> Reading {
    let budget = memoryLimit.map { FactBudget($0, workers: threads) }
    // Most packs share one layout.
    var known: [Bool: [StoredLayout: StoredProjection]] = [:]
    let projections = packs.map { pack in
      if let projection = known[pack.isOfOwnEvents]?[pack.layout] { return projection }
      let projection = StoredProjection(pack, schema)
      known[pack.isOfOwnEvents, default: [:]][pack.layout] = projection
      return projection
    }
    let shares = try await Parallel.map(
      count: threads, threads: threads
    ) { (worker) throws(any Error) -> Share in
      var loader = StoredFactLoader(
        schema, packs, projections, latestMilliseconds: latestMilliseconds, owners: owners,
        collector: FactCollector(
          schema: schema, latestMilliseconds: latestMilliseconds, budget: budget, worker: worker))
      while let piece = try next() { try loader.add(piece) }
      return Share(
        collector: loader.collector, names: loader.names, repeatedFacts: loader.repeatedFacts,
        factsTooLate: loader.factsTooLate, factsBySource: loader.factsBySource)
    }
    var builder = TimelineBuilder(
      schema: schema, collectors: shares.map(\.collector), names: shares.map(\.names),
      links: links.filter { $0.timeMilliseconds <= latestMilliseconds },
      watchedDevices: watchedDevices, budget: budget, partOf: whole)
    var timelines = try await builder.build(threads: threads)
    timelines.ownCounts.repeatedFacts += shares.reduce(0) { $0 + $1.repeatedFacts }
    timelines.ownCounts.factsTooLate += shares.reduce(0) { $0 + $1.factsTooLate }
    var facts = packs.map { Array(repeating: 0, count: $0.isWanted.count) }
    for share in shares {
      for (pack, counts) in share.factsBySource.enumerated() {
        for (number, count) in counts.enumerated() { facts[pack][number] += count }
      }
    }
    return Reading(timelines: timelines, factsBySource: facts)
  }

  /// What a worker returns.
  private struct Share: Sendable {
    var collector: FactCollector
    var names: [NameTable]
    var repeatedFacts: Int
    var factsTooLate: Int
    var factsBySource: [[Int]]
  }
}
