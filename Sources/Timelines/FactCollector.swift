internal import FlowDefinition
public import EventInput

/// One worker's share of the facts: takes batches of events, keeps 24 bytes of each.
///
/// Ids, actions and contexts become numbers of this worker's own; `TimelineBuilder` unites the
/// workers afterwards. `Sendable` unchecked: a collector is filled by one task and then handed
/// over.
public final class FactCollector: @unchecked Sendable {
  /// Partitions by person: small enough that one partition sorts inside the caches.
  static let partitionCount = 64

  /// Kept in one value, so that a batch costs one exclusive access and not some for each event.
  var state: CollectorState

  public init(schema: FactSchema, latestMilliseconds: Int64 = .max) {
    state = CollectorState(schema: schema, latestMilliseconds: latestMilliseconds)
  }

  static func partition(of key: IdentifierHash) -> Int {
    Int(truncatingIfNeeded: key.high >> 58)
  }

  /// Keeps the facts of a batch.
  public func add(_ batch: borrowing EventBatch) { state.add(batch) }

  /// Gives device-only facts to the persons they belong to, by `owner` for each device number.
  func adopt(_ owner: (_ device: Int, _ timeMilliseconds: Int64) -> IdentifierHash) {
    state.adopt(owner)
  }
}
