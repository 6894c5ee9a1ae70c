internal import WorkerThreads

/// One worker's part of a pass over all partitions, in memory or on disk.
protocol PartitionPass: SendableMetatype {
  associatedtype Output: Sendable

  /// Does what is to be done for a partition; a worker takes some, each is taken once.
  mutating func take(partition: Int) throws(SpillError)

  /// What came of the worker's partitions, after the last.
  mutating func finish() throws(SpillError) -> Output
}

extension PartitionPass {
  /// Runs a pass; each worker begins with a state of its own.
  static func run(
    workers: Int, _ begin: @escaping @Sendable () -> Self
  ) async throws(SpillError) -> [Output] {
    let next = WorkQueue()
    return try await Parallel.map(count: workers, threads: workers) { (_) throws(SpillError) in
      var pass = begin()
      while let partition = next.take(below: FactCollector.partitionCount) {
        try pass.take(partition: partition)
      }
      return try pass.finish()
    }
  }
}
