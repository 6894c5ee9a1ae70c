internal import EventInput

/// What gathers partitions from facts as they were collected: from the workers' memory, or from
/// disk.
protocol PartitionGathering: Sendable {
  /// Gathers a partition, as often as is wanted; by one task at a time.
  ///
  /// - Throws: what reading it back from disk met; so do the others.
  func assemble(partition: Int) throws(SpillError) -> AssembledPartition

  /// Calls `body` for persons with the moment of a last fact: once or several times for each, the
  /// latest counts.
  func forEachLastMoment(_ body: (IdentifierHash, Int64) -> Void) throws(SpillError)

  /// Calls `body` for all facts after a moment, repeated ones too, and their persons.
  func forEachFact(
    after cutoff: Int64, _ body: (Int64, IdentifierHash) -> Void
  ) throws(SpillError)
}
