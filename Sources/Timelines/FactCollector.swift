internal import FlowDefinition
public import EventInput

/// One worker's share of the facts: takes batches of events, keeps some 20 bytes of each.
///
/// Actions and contexts become codes of this worker's own; `TimelineBuilder` unites the workers
/// afterwards. `Sendable` unchecked: a collector is filled by one task and then handed
/// over.
public final class FactCollector: @unchecked Sendable {
  /// Partitions by person: small enough that one is numbered and sorted inside the caches.
  static let partitionCount = 1 << partitionBits
  static let partitionBits = 8

  /// Kept in one value, so that a batch costs one exclusive access and not some for each event.
  var state: CollectorState

  private let budget: FactBudget?
  private let worker: Int
  /// What the budget knows of.
  private var heldBytes = 0

  /// A collector without a limit of memory.
  ///
  /// - Parameter latestMilliseconds: facts later than this are set aside and only counted.
  public init(schema: FactSchema, latestMilliseconds: Int64 = .max) {
    state = CollectorState(schema: schema, latestMilliseconds: latestMilliseconds)
    budget = nil
    worker = 0
  }

  /// - Parameter worker: the collector's place among those that are united.
  init(schema: FactSchema, latestMilliseconds: Int64, budget: FactBudget?, worker: Int) {
    state = CollectorState(schema: schema, latestMilliseconds: latestMilliseconds)
    self.budget = budget
    self.worker = worker
  }

  static func partition(of key: IdentifierHash) -> Int {
    Int(truncatingIfNeeded: key.high >> UInt64(64 - partitionBits))
  }

  /// Keeps the facts of a batch; over the memory limit, spills all it holds.
  public func add(_ batch: borrowing EventBatch) throws(SpillError) {
    state.add(batch)
    try keepWithinBudget()
  }

  /// Many changes with one exclusive access.
  func withState(_ body: (inout CollectorState) throws -> Void) rethrows {
    try body(&state)
  }

  /// Spills all it holds where all collectors together hold too much.
  func keepWithinBudget() throws(SpillError) {
    guard let budget else { return }
    let held = state.heldBytes
    let isOver = budget.hold(change: held - heldBytes, own: held)
    heldBytes = held
    if isOver { try spill() }
  }

  /// Spills what it holds.
  func spill() throws(SpillError) {
    guard let budget else { return }
    if state.heldBytes > 0 { budget.describe(try state.spill(to: budget.file(worker: worker))) }
    _ = budget.hold(change: state.heldBytes - heldBytes, own: 0)
    heldBytes = state.heldBytes
  }

  /// Spills what it still holds, and gives the memory to the system.
  func spillLast() throws(SpillError) {
    try spill()
    state.arena.trim()
  }
}
