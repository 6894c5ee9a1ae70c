internal import EventInput

/// What gathers partitions from facts as they were collected: from the workers' memory, or from
/// disk.
protocol PartitionGathering: Sendable {
  /// Gathers a partition, as often as is wanted; by one task at a time.
  ///
  /// - Throws: what reading it back from disk met; so do the others.
  func assemble(partition: Int) throws(SpillError) -> AssembledPartition

  /// Adds all facts that the search does not pass over, repeated ones too, with their persons.
  func add(to search: inout HorizonSearch) throws(SpillError)
}
