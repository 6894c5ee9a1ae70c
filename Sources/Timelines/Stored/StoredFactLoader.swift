internal import EventInput
internal import FlowDefinition

/// One worker's share of what is read from a store: segments → a collector, as if the worker had
/// scanned their sources.
final class StoredFactLoader {
  let collector: FactCollector
  private(set) var names: [NameTable]
  private let packs: [StoredPackReading]
  private let projections: [StoredProjection]
  private let schema: FactSchema
  private let latestMilliseconds: Int64
  private var translations: [StoredTranslation?]
  private var facts: [Fact] = []
  /// Facts that were repetitions of the one before.
  private(set) var repeatedFacts = 0
  private(set) var factsTooLate = 0

  /// - Parameter projections: of each pack's layout.
  init(
    _ schema: FactSchema, _ packs: [StoredPackReading], _ projections: [StoredProjection],
    latestMilliseconds: Int64, collector: FactCollector
  ) {
    self.schema = schema
    self.packs = packs
    self.projections = projections
    self.latestMilliseconds = latestMilliseconds
    self.collector = collector
    names = schema.plan.tables.map { NameTable(plan: $0) }
    translations = Array(repeating: nil, count: packs.count)
  }

  /// - Throws: `StoredDamage` where the bytes make no sense, `SpillError` where what is beyond the
  ///   memory limit can't be laid aside.
  func add(_ piece: StoredPiece) throws {
    let pack = packs[piece.pack]
    var translation =
      translations[piece.pack]
      ?? StoredTranslation(projections[piece.pack], pack.tables, schema.plan)
    translations[piece.pack] = nil
    defer { translations[piece.pack] = translation }
    let isAllWanted = !pack.isWanted.contains(false)
    try piece.bytes.forEachRun { user, device, run in
      if lacksIdentifier(user: user, device: device) { return }
      // Facts of a device alone are counted one by one when they find their person.
      try read(
        run, isAllWanted ? nil : pack.isWanted, keepsRepetitions: user.isMissing, &translation)
      if !facts.isEmpty { collector.state.add(facts[...], user: user, device: device) }
    }
    try collector.keepWithinBudget()
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
  private func read(
    _ run: [StoredFact], _ wanted: [Bool]?, keepsRepetitions: Bool,
    _ translation: inout StoredTranslation
  ) throws {
    facts.removeAll(keepingCapacity: true)
    var before: Fact?
    try collector.state.withEncoder { encoder in
      for stored in run {
        if let wanted {
          guard Int(stored.source) < wanted.count else { throw StoredDamage() }
          if !wanted[Int(stored.source)] { continue }
        }
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
        facts.append(
          Fact(timeMilliseconds: time, action: action, context: context, session: fact.session))
      }
    }
  }
}
