internal import WorkerThreads

extension Timelines {
  /// Visits every partition once, on some threads.
  ///
  /// Each thread has a worker of its own and takes one partition after the other; a partition is
  /// released before the thread takes its next.
  ///
  /// - Parameters:
  ///   - begin: makes the worker of one thread.
  ///   - add: what a worker does with one partition.
  ///   - finish: what a worker has found after its last partition; a worker may have had none.
  /// - Returns: the findings of the workers, of at least one.
  /// - Throws: what reading a partition back from disk met.
  public func visit<Worker, Finding: Sendable>(
    threads: Int, begin: @escaping @Sendable () -> Worker,
    add: @escaping @Sendable (inout Worker, TimelinePartition) -> Void,
    finish: @escaping @Sendable (inout Worker) -> Finding
  ) async throws(SpillError) -> [Finding] {
    let next = WorkQueue()
    let workers = max(1, min(threads, partitionCount))
    return try await Parallel.map(count: workers, threads: workers) { (_) throws(SpillError) in
      var worker = begin()
      while let piece = next.take(below: partitionCount) {
        add(&worker, try partition(piece))
      }
      return finish(&worker)
    }
  }
}
