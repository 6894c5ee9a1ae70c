/// The log that one worker of a pass fills; spilled like the facts that the pass reads.
struct PassLog {
  let log: FactLog
  /// `nil` where nothing was spilled before.
  private let budget: FactBudget?
  private let name: String
  private var file: SegmentFile?

  /// - Parameters:
  ///   - name: of the file, if it needs one.
  ///   - budget: what the facts were spilled by, where any were.
  init(_ name: String, _ budget: FactBudget?) {
    log = FactLog(lists: FactCollector.partitionCount, pool: ChunkPool())
    self.name = name
    self.budget = budget
  }

  /// Spills what it holds, where that is a good share of the limit.
  mutating func keepWithinBudget() throws(SpillError) {
    guard let budget, unsafe log.byteCount > budget.ownShare else { return }
    try spill(budget)
  }

  /// The log, after the last fact: where some facts were spilled, all are.
  mutating func finish() throws(SpillError) -> FactLog {
    if let budget, unsafe log.byteCount > 0 { try spill(budget) }
    log.trim()
    return log
  }

  private mutating func spill(_ budget: FactBudget) throws(SpillError) {
    if file == nil { file = try budget.folder.makeFile(name) }
    if let file { _ = try log.spill(to: file) }
  }
}
