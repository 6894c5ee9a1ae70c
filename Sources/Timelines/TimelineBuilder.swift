public import EventInput
internal import FlowDefinition
internal import WorkerThreads

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
  private let united: IdentityGraph
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
  ///   - budget: what the collectors spill facts by.
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
    let users = IdentityGraph(pairs: schema.identity == .stitched ? pairs : [])
    self.united = users
    counts.unitedUsers = users.userCount
    counts.unitedPersons = users.personCount
    counts.aliasGroupsTooLarge = users.groupsTooLarge
    self.collectors = collectors
    self.watchedDevices = watchedDevices
    self.budget = budget
  }

  /// Device-only facts find their persons; the rest is gathered when it is visited.
  ///
  /// - Throws: what spilling facts, or reading them back, met; never without a memory limit.
  public mutating func build(threads: Int) async throws(SpillError) -> Timelines {
    let (collectors, budget) = (collectors, budget?.hasSpilled == true ? budget : nil)
    if budget != nil {
      _ = try await Parallel.map(
        count: collectors.count, threads: threads
      ) { (worker) throws(SpillError) in try collectors[worker].spillLast() }
    }
    let users = zip(collectors, codes).map { FactSource(log: $0.state.arena, codes: $1) }
    let devices = zip(collectors, codes).map { FactSource(log: $0.state.anonymous, codes: $1) }
    var sources = users + devices
    if tables.schema.identity == .stitched {
      let stitching = Stitching(
        users: users, devices: devices, united: united,
        limit: tables.schema.stitchWithinMilliseconds, watchedDevices: watchedDevices,
        budget: budget, workers: max(1, min(threads, FactCollector.partitionCount)))
      let share = try await stitching.stitch()
      let codes = CodeMap(of: tables)
      sources += share.logs.map { FactSource(log: $0, codes: codes) }
      counts.sharedDevices = share.sharedDevices
      counts.devicesWithSeveralUsers = share.devicesWithSeveralUsers
      counts.devicesWithUsers = share.devicesWithUsers
      counts.stitchedFacts = share.stitchedFacts
      watchedPersons = share.watchedPersons
    }
    let facts = PartitionSequence(PartitionAssembler(sources: sources))
    let census =
      if let whole { whole.census } else { try await facts.dayCensus(threads: threads) }
    return Timelines(
      tables: tables, ownCounts: counts, watchedPersons: watchedPersons, united: united,
      facts: facts, census: census)
  }
}
