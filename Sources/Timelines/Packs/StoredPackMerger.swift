internal import EventInput

/// Packs → one pack, partition by partition; or one pack → itself without some facts.
///
/// Every fact keeps the source it came from, and repetitions stay counted: a merged pack answers
/// whatever its parts answered, in fewer and longer runs.
public struct StoredPackMerger {
  private let packs: [StoredPackReading]
  /// For each pack, and each source's number in it, the number in the merged pack.
  private let sourceNumbers: [[Int]]
  private let forgotten: ForgottenPersons
  private var builder: StoredTablesBuilder
  private var actionCodes: [[UInt32]]
  private var contextCodes: [[UInt32]]
  private let buffer = StoredSegmentBuffer()
  /// Facts of the merged pack so far, repetitions too.
  public private(set) var factCount = 0
  /// Facts that were left out because their person is to be forgotten, by the source's number in
  /// the merged pack.
  public private(set) var forgottenCounts: [Int: Int] = [:]

  /// What a run is of.
  private struct Owner: Hashable {
    var user: IdentifierHash
    var device: IdentifierHash
  }

  /// - Parameters:
  ///   - packs: all of this layout; facts of sources that are not wanted are left out.
  ///   - sourceNumbers: must rise with the order in which the sources came.
  public init(
    layout: StoredLayout, packs: [StoredPackReading], sourceNumbers: [[Int]],
    forgetting forgotten: ForgottenPersons = ForgottenPersons()
  ) {
    self.packs = packs
    self.sourceNumbers = sourceNumbers
    self.forgotten = forgotten
    builder = StoredTablesBuilder(layout)
    actionCodes = packs.map { Array(repeating: .max, count: $0.tables.actionCount) }
    contextCodes = packs.map { Array(repeating: .max, count: $0.tables.contextCount) }
  }

  /// What the merged facts' codes mean; complete after the last partition.
  public var tables: StoredTables { builder.finish() }

  /// Merges the packs' segments of one partition; `nil` if nothing is left.
  ///
  /// - Throws: `StoredDamage` where bytes make no sense.
  public mutating func merge(
    partition: Int, _ pieces: [StoredPiece]
  ) throws -> StoredSegment? {
    var runs: [Owner: [StoredFact]] = [:]
    for piece in pieces {
      try piece.bytes.forEachRun { user, device, facts in
        let own = try translate(facts, piece.pack, user: user, device: device)
        if !own.isEmpty { runs[Owner(user: user, device: device), default: []] += own }
      }
    }
    let owners = runs.keys.sorted {
      $0.user != $1.user ? $0.user < $1.user : $0.device < $1.device
    }
    for owner in owners {
      guard var facts = runs.removeValue(forKey: owner) else { continue }
      FactSorting.sort(&facts)
      buffer.append(user: owner.user, device: owner.device, facts)
      factCount += facts.count
    }
    return buffer.factCount > 0 ? buffer.take(partition: partition) : nil
  }

  private mutating func translate(
    _ run: [StoredFact], _ pack: Int, user: IdentifierHash, device: IdentifierHash
  ) throws -> [StoredFact] {
    let isConcerned = !forgotten.isEmpty && forgotten.concerns(user: user, device: device)
    let wanted = packs[pack].isWanted
    var facts: [StoredFact] = []
    facts.reserveCapacity(run.count)
    for stored in run {
      let fact = stored.fact
      guard Int(stored.source) < wanted.count, Int(fact.action) < actionCodes[pack].count,
        Int(fact.context) < contextCodes[pack].count
      else { throw StoredDamage() }
      if !wanted[Int(stored.source)] { continue }
      let source = sourceNumbers[pack][Int(stored.source)]
      if isConcerned,
        forgotten.contains(user: user, device: device, at: fact.timeMilliseconds)
      {
        forgottenCounts[source, default: 0] += 1
        continue
      }
      facts.append(
        StoredFact(
          fact: Fact(
            timeMilliseconds: fact.timeMilliseconds, action: action(Int(fact.action), pack),
            context: context(Int(fact.context), pack), session: fact.session,
            message: fact.message),
          source: UInt32(truncatingIfNeeded: source)))
    }
    return facts
  }

  private mutating func action(_ code: Int, _ pack: Int) -> UInt32 {
    let known = actionCodes[pack][code]
    if known != .max { return known }
    let tables = packs[pack].tables
    let width = tables.actionWidth
    let given = builder.code(ofAction: tables.actions[(code * width)..<(code * width + width)]) {
      tables.name($0, column: $1)
    }
    actionCodes[pack][code] = given
    return given
  }

  private mutating func context(_ code: Int, _ pack: Int) -> UInt32 {
    let known = contextCodes[pack][code]
    if known != .max { return known }
    let tables = packs[pack].tables
    let width = tables.contextWidth
    let values = tables.contexts[(code * width)..<(code * width + width)]
    let given = builder.code(ofContext: values) { tables.name($0, column: $1) }
    contextCodes[pack][code] = given
    return given
  }
}
