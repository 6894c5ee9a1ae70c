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

  /// Facts of one user on one device: where they stand among those of a partition.
  private struct Run {
    var user: IdentifierHash
    var device: IdentifierHash
    var facts: Range<Int>

    /// In the order of a segment; of equals the one that was met first.
    static func isBefore(_ left: Run, _ right: Run) -> Bool {
      if left.user != right.user { return left.user < right.user }
      if left.device != right.device { return left.device < right.device }
      return left.facts.lowerBound < right.facts.lowerBound
    }

    func isOfSame(_ other: Run) -> Bool { user == other.user && device == other.device }
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
    var facts: [StoredFact] = []
    var runs: [Run] = []
    for piece in pieces {
      try piece.bytes.forEachRun { user, device, run in
        let start = facts.count
        try translate(run, piece.pack, user: user, device: device, into: &facts)
        if facts.count > start {
          runs.append(Run(user: user, device: device, facts: start..<facts.count))
        }
      }
    }
    runs.sort(by: Run.isBefore)
    var own: [StoredFact] = []
    for (index, run) in runs.enumerated() {
      own += facts[run.facts]
      if index + 1 < runs.count && runs[index + 1].isOfSame(run) { continue }
      FactSorting.sort(&own)
      buffer.append(user: run.user, device: run.device, own)
      factCount += own.count
      own.removeAll(keepingCapacity: true)
    }
    return buffer.factCount > 0 ? buffer.take(partition: partition) : nil
  }

  /// Adds the facts of a run that are kept, in the codes of the merged pack.
  private mutating func translate(
    _ run: [StoredFact], _ pack: Int, user: IdentifierHash, device: IdentifierHash,
    into facts: inout [StoredFact]
  ) throws {
    let isConcerned = !forgotten.isEmpty && forgotten.concerns(user: user, device: device)
    let wanted = packs[pack].isWanted
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
