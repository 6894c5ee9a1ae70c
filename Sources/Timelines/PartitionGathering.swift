internal import EventInput

/// What gathers partitions from facts as they were collected: from the workers' memory, or from
/// disk.
protocol PartitionGathering: Sendable {
  /// Gathers a partition, as often as is wanted; by one task at a time.
  ///
  /// - Throws: what reading it back from disk met; so do the others.
  func assemble(partition: Int) throws(SpillError) -> AssembledPartition

  /// Counts a partition's persons by date; several tasks may each count other partitions.
  func count(partition: Int, in days: inout PersonDays) throws(SpillError)
}
