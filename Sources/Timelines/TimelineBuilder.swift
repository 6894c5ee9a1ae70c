public import EventInput
internal import FlowDefinition

/// Unites the facts of all workers into timelines.
///
///     collectors + name tables ──► one set of names, actions, contexts
///                              ──► device-only facts find their persons
///                              ──► partition by partition: gather, sort, drop repetitions
public struct TimelineBuilder {
  private let collectors: [FactCollector]
  private let tables: FactTables
  private let budget: FactBudget?
  private let watchedDevices: Set<IdentifierHash>
  private var codes: [CodeMap] = []
  private var counts = TimelineCounts()
  private var watchedPersons: Set<IdentifierHash> = []
  private let united: UnitedUsers
  /// What is known of all facts, where these are a part of them.
  private let whole: WholeRun?

  /// - Parameters:
  ///   - collectors: one for each worker.
  ///   - names: each worker's name tables, in the same order.
  ///   - watchedDevices: devices whose owners are wanted.
  public init(
    schema: FactSchema, collectors: [FactCollector], names: [[NameTable]],
    watchedDevices: Set<IdentifierHash> = []
  ) {
    self.init(
      schema: schema, collectors: collectors, names: names, links: [],
      watchedDevices: watchedDevices, budget: nil)
  }

  /// - Parameters:
  ///   - links: what is known of users who are one person besides what the collectors know.
  ///   - budget: what the collectors lay facts aside by.
  ///   - whole: what is known of all facts, where these are a part of them.
  init(
    schema: FactSchema, collectors: [FactCollector], names: [[NameTable]], links: [UserLink],
    watchedDevices: Set<IdentifierHash>, budget: FactBudget?, partOf whole: WholeRun? = nil
  ) {
    self.whole = whole
    var united = whole?.names ?? schema.plan.tables.map { NameTable(plan: $0) }
    let maps = names.map { tables in
      tables.enumerated().map { index, table in united[index].merge(table) }
    }
    var factTables = FactTables(schema: schema, names: united)
    for (collector, maps) in zip(collectors, maps) {
      codes.append(
        CodeMap(
          actions: factTables.unite(actions: collector.state.encoder.actions, through: maps),
          contexts: factTables.unite(contexts: collector.state.encoder.contexts, through: maps)))
      counts.factsWithoutPlace += collector.state.encoder.factsWithoutPlace
      counts.factsTooLate += collector.state.factsTooLate
    }
    tables = factTables
    let pairs = collectors.flatMap { $0.state.links.keys } + links.map(LinkedUsers.init)
    let users = UnitedUsers(pairs: schema.identity == .stitched ? pairs : [])
    self.united = users
    counts.unitedUsers = users.userCount
    counts.unitedPersons = users.personCount
    counts.aliasGroupsTooLarge = users.groupsTooLarge
    self.collectors = collectors
    self.watchedDevices = watchedDevices
    self.budget = budget
  }

  /// Device-only facts find their persons, in the memory of each worker.
  private mutating func stitch(threads: Int) async {
    let (collectors, united, watchedDevices) = (collectors, united, watchedDevices)
    let owners = await DeviceOwners(
      collectors, united: united, within: tables.schema.stitchWithinMilliseconds,
      watchedDevices: watchedDevices, threads: threads)
    counts.sharedDevices = owners.sharedDevices
    counts.devicesWithSeveralUsers = owners.devicesWithSeveralUsers
    watchedPersons = owners.watchedPersons
    let shares = await Parallel.map(count: collectors.count, threads: threads) { worker in
      let share = collectors[worker].adopt(owners, watching: watchedDevices)
      if !united.isEmpty { collectors[worker].unite(united) }
      return share
    }
    for share in shares {
      counts.stitchedFacts += share.stitchedFacts
      watchedPersons.formUnion(share.watchedPersons)
    }
  }

  /// Gathers every partition, some at a time, and gives the workers' memory back as it goes.
  ///
  /// - Parameter isVisitedOnce: partitions are gathered when they are visited, which costs less if
  ///   that is once, and again for every other visit.
  /// - Throws: what laying facts aside, or reading them back, met; never without a memory limit.
  public mutating func build(
    threads: Int, isVisitedOnce: Bool = false
  ) async throws(SpillError) -> Timelines {
    if let budget, !budget.segments.isEmpty {
      return try await buildFromSegments(
        budget, threads: threads, isVisitedOnce: isVisitedOnce)
    }
    if tables.schema.identity == .stitched { await stitch(threads: threads) }
    let assembler = PartitionAssembler(collectors: collectors, codes: codes)
    if isVisitedOnce {
      let facts = CollectedFacts(assembler)
      // Nothing fails that reads no disk.
      let census = try await facts.dayCensus(threads: threads)
      return Timelines(
        tables: tables, ownCounts: counts, watchedPersons: watchedPersons, united: united,
        store: .collected(facts), census: whole?.census ?? census)
    }
    let results = await Parallel.map(
      count: FactCollector.partitionCount, threads: threads
    ) { partition in
      defer { assembler.release(partition: partition) }
      return assembler.assemble(partition: partition)
    }
    var census = DayCensus()
    for result in results {
      census.add(result.partition)
      counts.repeatedFacts += result.repeatedFacts
      counts.facts += result.partition.facts.count
      counts.persons += result.partition.personCount
    }
    return Timelines(
      tables: tables, ownCounts: counts, watchedPersons: watchedPersons, united: united,
      store: .memory(results.map(\.partition)), census: whole?.census ?? census)
  }

  /// Some facts were spilled: then all are, and partitions are assembled from there.
  private func buildFromSegments(
    _ budget: FactBudget, threads: Int, isVisitedOnce: Bool
  ) async throws(SpillError) -> Timelines {
    let collectors = collectors
    _ = try await Parallel.map(
      count: collectors.count, threads: threads
    ) { (worker) throws(SpillError) in try collectors[worker].spillLast() }
    var builder = SpilledBuilder(
      budget, codes: codes,
      stitchWithin: tables.schema.identity == .stitched
        ? tables.schema.stitchWithinMilliseconds : nil,
      united: united, watchedDevices: watchedDevices, counts: counts)
    let store = try await builder.build(threads: threads, isVisitedOnce: isVisitedOnce)
    return Timelines(
      tables: tables, ownCounts: builder.counts, watchedPersons: builder.watchedPersons,
      united: united, store: store, census: whole?.census ?? builder.census)
  }
}
