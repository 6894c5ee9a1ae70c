public import EventInput

/// What a collector has gathered of one source → a pack.
///
/// Names, actions and contexts get new codes, in the order in which facts need them: what nobody
/// needs (any more) is not kept.
public struct StoredPackEncoder {
  /// The partitions of a store, each of which is a row of a pack.
  private static let partitionCount = 64
  private let listsOfPartition = FactCollector.partitionCount / StoredPackEncoder.partitionCount
  private let layout: StoredLayout
  private let forgotten: ForgottenPersons
  private let names: [NameTable]
  private let actions: TupleTable
  private let contexts: TupleTable
  private var builder: StoredTablesBuilder
  private var actionCodes: [UInt32]
  private var contextCodes: [UInt32]
  private let buffer = StoredSegmentBuffer()
  private var facts: [StoredFact] = []
  private var pack: StoredPack
  private var first = Int64.max
  private var last = Int64.min

  /// - Parameters:
  ///   - names: the name tables of the scanner that filled the collector.
  public init(
    _ collector: FactCollector, names: [NameTable], layout: StoredLayout,
    forgetting forgotten: ForgottenPersons
  ) {
    self.layout = layout
    self.forgotten = forgotten
    self.names = names
    actions = collector.state.encoder.actions
    contexts = collector.state.encoder.contexts
    builder = StoredTablesBuilder(layout)
    actionCodes = Array(repeating: .max, count: actions.count)
    contextCodes = Array(repeating: .max, count: contexts.count)
    pack = StoredPack(
      layout: layout, tables: builder.finish(), segments: [], factCount: 0, milliseconds: nil,
      links: [], forgottenCount: 0)
  }

  /// Takes in all facts of the collector.
  public mutating func encode(_ collector: FactCollector) throws(SpillError) -> StoredPack {
    let state = collector.state
    var grouping = FactGrouping()
    for partition in 0..<StoredPackEncoder.partitionCount {
      // A segment has the persons of some lists, all users before all devices.
      let lists = partition * listsOfPartition..<(partition + 1) * listsOfPartition
      for list in lists where state.arena.count(list) > 0 {
        try grouping.group(state.arena, list: list)
        unsafe grouping.forEachRun { user, run in unsafe appendUser(user, run) }
      }
      for list in lists where state.anonymous.count(list) > 0 {
        try grouping.group(state.anonymous, list: list)
        unsafe grouping.forEachRun { device, run in
          unsafe append(user: .missing, device: device, run)
        }
      }
      if buffer.factCount > 0 { pack.segments.append(buffer.take(partition: partition)) }
    }
    pack.tables = builder.finish()
    pack.links = links(state)
    pack.usersOfForgotten = usersOfForgotten(state)
    if first <= last { pack.milliseconds = first...last }
    return pack
  }

  /// What is said of users who may be kept; in a fixed order.
  private func links(_ state: CollectorState) -> [UserLink] {
    state.links.compactMap { pair, moment in
      let isForgotten =
        forgotten.users.contains(pair.first) || forgotten.users.contains(pair.second)
      return isForgotten
        ? nil : UserLink(user: pair.first, other: pair.second, timeMilliseconds: moment)
    }
    .sorted { $0.user != $1.user ? $0.user < $1.user : $0.other < $1.other }
  }

  /// Users who may be kept, though something says that they are one person with one who may not.
  private func usersOfForgotten(_ state: CollectorState) -> Set<IdentifierHash> {
    if forgotten.users.isEmpty { return [] }
    let linked = state.links.keys.filter {
      forgotten.users.contains($0.first) != forgotten.users.contains($0.second)
    }
    return Set(linked.flatMap { [$0.first, $0.second] }).subtracting(forgotten.users)
  }

  /// One user's facts, device by device.
  private mutating func appendUser(
    _ user: IdentifierHash, _ run: UnsafeBufferPointer<FactOnDevice>
  ) {
    guard let head = unsafe run.first else { return }
    if unsafe run.allSatisfy({ $0.device == head.device }) {
      return unsafe append(user: user, device: head.device, run)
    }
    let byDevice = unsafe Dictionary(grouping: run, by: \.device)
    for (device, facts) in byDevice.sorted(by: { $0.key < $1.key }) {
      append(user: user, device: device, facts)
    }
  }

  private mutating func append(
    user: IdentifierHash, device: IdentifierHash, _ run: some Sequence<FactOnDevice>
  ) {
    let isConcerned = !forgotten.isEmpty && forgotten.concerns(user: user, device: device)
    facts.removeAll(keepingCapacity: true)
    for collected in run {
      let fact = collected.fact
      if isConcerned,
        forgotten.contains(user: user, device: device, at: fact.timeMilliseconds)
      {
        pack.forgottenCount += 1
        continue
      }
      facts.append(
        StoredFact(
          fact: Fact(
            timeMilliseconds: fact.timeMilliseconds, action: action(fact.action),
            context: context(fact.context), session: fact.session, message: fact.message),
          source: 0))
    }
    guard !facts.isEmpty else { return }
    FactSorting.sort(&facts)
    first = min(first, facts[0].fact.timeMilliseconds)
    last = max(last, facts[facts.count - 1].fact.timeMilliseconds)
    pack.factCount += facts.count
    buffer.append(user: user, device: device, facts)
  }

  private mutating func action(_ code: UInt32) -> UInt32 {
    let known = actionCodes[Int(code)]
    if known != .max { return known }
    let columns = layout.columns(of: .action)
    let values = canonical(actions.tuple(code), columns)
    let names = names
    let given = builder.code(ofAction: values) { names[$1].name(of: $0) }
    actionCodes[Int(code)] = given
    return given
  }

  private mutating func context(_ code: UInt32) -> UInt32 {
    let known = contextCodes[Int(code)]
    if known != .max { return known }
    let columns = layout.columns(of: .context)
    // Flow and version, which a scanning schema leaves empty, come first.
    let values = canonical(contexts.tuple(code).dropFirst(2), columns)
    let names = names
    let given = builder.code(ofContext: values) { names[$1].name(of: $0) }
    contextCodes[Int(code)] = given
    return given
  }

  /// Names that lost their place since read as names without one.
  private func canonical(_ values: ArraySlice<UInt32>, _ columns: [Int]) -> ArraySlice<UInt32> {
    zip(values, columns).map { value, column in
      value == 0 ? 0 : names[column].canonical(value)
    }[...]
  }
}
