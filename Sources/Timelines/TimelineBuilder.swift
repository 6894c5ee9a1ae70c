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
  private var actionMaps: [[UInt32]] = []
  private var contextMaps: [[UInt32]] = []
  private var counts = TimelineCounts()
  private var watchedPersons: Set<IdentifierHash> = []

  /// - Parameters:
  ///   - collectors: one for each worker.
  ///   - names: each worker's name tables, in the same order.
  ///   - watchedDevice: a device whose owners are wanted.
  public init(
    schema: FactSchema, collectors: [FactCollector], names: [[NameTable]],
    watchedDevice: IdentifierHash = .missing
  ) {
    var united = schema.plan.tables.map { NameTable(plan: $0) }
    let maps = names.map { tables in
      tables.enumerated().map { index, table in united[index].merge(table) }
    }
    var factTables = FactTables(schema: schema, names: united)
    for (collector, maps) in zip(collectors, maps) {
      actionMaps.append(factTables.unite(actions: collector.state.encoder.actions, through: maps))
      contextMaps.append(
        factTables.unite(contexts: collector.state.encoder.contexts, through: maps))
      counts.actionsWithoutPlace += collector.state.encoder.actionsWithoutPlace
      counts.factsTooLate += collector.state.factsTooLate
    }
    tables = factTables
    self.collectors = collectors
    if !watchedDevice.isMissing { watch(watchedDevice) }
    if schema.identity == .stitched { stitch(watchedDevice) }
  }

  /// Notes the users who were seen on a device.
  private mutating func watch(_ device: IdentifierHash) {
    for collector in collectors {
      guard let number = collector.state.devices.find(device) else { continue }
      for partition in 0..<FactCollector.partitionCount {
        collector.state.arena.forEach(partition) { collected in
          if collected.device == number {
            watchedPersons.insert(collector.state.persons.keys[Int(collected.person)])
          }
        }
      }
    }
  }

  private mutating func stitch(_ watchedDevice: IdentifierHash) {
    let resolution = DeviceResolution(collectors)
    counts.sharedDevices = resolution.sharedDevices
    counts.devicesWithSeveralUsers = resolution.devicesWithSeveralUsers
    for collector in collectors {
      let keys = collector.state.devices.keys
      var stitched = 0
      var watched: Set<IdentifierHash> = []
      collector.adopt { device, time in
        let owner = resolution.owner(ofDevice: keys[device], at: time)
        if owner != keys[device] { stitched += 1 }
        if keys[device] == watchedDevice { watched.insert(owner) }
        return owner
      }
      counts.stitchedFacts += stitched
      watchedPersons.formUnion(watched)
    }
  }

  /// Gathers every partition, some at a time, and gives the workers' memory back as it goes.
  public func build(threads: Int) async -> Timelines {
    let assembler = PartitionAssembler(
      collectors: collectors, actionMaps: actionMaps, contextMaps: contextMaps)
    let results = await Parallel.map(
      count: FactCollector.partitionCount, threads: threads
    ) { assembler.assemble(partition: $0) }
    var counts = counts
    for result in results {
      counts.repeatedFacts += result.repeatedFacts
      counts.facts += result.partition.facts.count
      counts.persons += result.partition.personCount
    }
    return Timelines(
      tables: tables, partitions: results.map(\.partition), counts: counts,
      watchedPersons: watchedPersons)
  }
}
