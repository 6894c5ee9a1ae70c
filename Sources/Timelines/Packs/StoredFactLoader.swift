internal import EventInput
internal import FlowDefinition

/// One worker's share of what is read from a store: segments → a collector, as if the worker had
/// scanned their sources.
struct StoredFactLoader {
  let collector: FactCollector
  private(set) var names: [NameTable]
  private let packs: [StoredPackReading]
  private let projections: [StoredProjection]
  private let schema: FactSchema
  private let latestMilliseconds: Int64
  private let owners: RunOwners?
  private var translations: [StoredTranslation?]
  private var runs = StoredRuns()
  /// Facts that were repetitions of the one before.
  private(set) var repeatedFacts = 0
  private(set) var factsTooLate = 0
  /// By pack and by the number of their source there, all facts that were met, wanted or not.
  private(set) var factsBySource: [[Int]]

  /// - Parameters:
  ///   - projections: of each pack's layout.
  ///   - owners: whose runs are, where that was found out before.
  init(
    _ schema: FactSchema, _ packs: [StoredPackReading], _ projections: [StoredProjection],
    latestMilliseconds: Int64, owners: RunOwners?, collector: FactCollector
  ) {
    self.owners = owners
    self.schema = schema
    self.packs = packs
    self.projections = projections
    self.latestMilliseconds = latestMilliseconds
    self.collector = collector
    names = schema.plan.tables.map { NameTable(plan: $0) }
    translations = Array(repeating: nil, count: packs.count)
    factsBySource = packs.map { Array(repeating: 0, count: $0.isWanted.count) }
  }

  /// - Throws: `StoredDamage` where the bytes make no sense, `SpillError` where what is beyond the
  ///   memory limit can't be spilled.
  mutating func add(_ piece: StoredPiece) throws {
    let pack = packs[piece.pack]
    var translation =
      translations[piece.pack]
      ?? StoredTranslation(projections[piece.pack], pack.tables, schema.plan)
    translations[piece.pack] = nil
    defer { translations[piece.pack] = translation }
    let wanted = pack.isWanted.contains(false) ? pack.isWanted : nil
    try collector.withState { state in
      try piece.bytes.forEachRun { user, device, run in
        try count(run, piece.pack)
        var (user, device) = (user, device)
        if let owners {
          guard let person = owners.person(piece.pack, user: user, device: device) else { return }
          (user, device) = (person, person)
        } else if lacksIdentifier(user: user, device: device) {
          return
        }
        // Facts of a device alone are counted one by one when they find their person.
        try state.withEncoder { encoder in
          try read(run, wanted, keepsRepetitions: user.isMissing, &translation, &encoder)
        }
        // Whose it is, is settled: no device is asked for any more.
        let isSettled = owners != nil && schema.identity != .device
        runs.end(user: user, device: isSettled ? .missing : device)
        if runs.isEnough { take(&state) }
      }
      take(&state)
    }
    try collector.keepWithinBudget()
  }

  /// Notes whose facts a run has; nearly all runs have one source's.
  private mutating func count(_ run: [StoredFact], _ pack: Int) throws(StoredDamage) {
    var start = 0
    for index in run.indices {
      let isLast = index + 1 == run.count || run[index].source != run[index + 1].source
      if !isLast { continue }
      let source = Int(run[index].source)
      guard source < factsBySource[pack].count else { throw StoredDamage() }
      factsBySource[pack][source] += index + 1 - start
      start = index + 1
    }
  }

  private mutating func take(_ state: inout CollectorState) {
    state.add(runs)
    runs.removeAll()
  }

  /// Whether events without this id are rejects for the flow.
  private func lacksIdentifier(user: IdentifierHash, device: IdentifierHash) -> Bool {
    switch schema.identity {
    case .stitched: false
    case .user: user.isMissing
    case .device: device.isMissing
    }
  }

  /// Turns one run into facts of the flow.
  private mutating func read(
    _ run: [StoredFact], _ wanted: [Bool]?, keepsRepetitions: Bool,
    _ translation: inout StoredTranslation, _ encoder: inout FactEncoder
  ) throws(StoredDamage) {
    var before: Fact?
    for stored in run {
      if let wanted, !wanted[Int(stored.source)] { continue }
      let fact = stored.fact
      let time = fact.timeMilliseconds
      if time > latestMilliseconds {
        factsTooLate += 1
        continue
      }
      if fact == before && !keepsRepetitions {
        repeatedFacts += 1
        continue
      }
      before = fact
      var action = try translation.action(fact.action, &encoder, &names)
      if action == StoredTranslation.withoutPlace {
        encoder.noteWithoutPlace(1)
        action = 0
      }
      let context = try translation.context(fact.context, &encoder, &names)
      runs.append(
        Fact(
          timeMilliseconds: time, action: action, context: context, session: fact.session,
          message: fact.message))
    }
  }
}
