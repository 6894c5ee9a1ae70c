import Synchronization

/// Threads that count, apart from those on which everything else runs, so that a server answers
/// while they are busy.
package final class ComputeThreads: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    /// The first job that is still to be done.
    var next = 0
  }

  private let state = Mutex(State())
  private let waiting = DispatchGate()

  /// - Throws: `SystemThread.Refusal` where the system grants no thread.
  package init(count: Int) throws(SystemThread.Refusal) {
    for _ in 0..<max(1, count) { _ = try SystemThread { self.work() } }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    waiting.signal()
  }

  /// For ever: the threads end with the program.
  private func work() {
    while true {
      waiting.wait()
      let job = state.withLock { state -> UnownedJob? in
        guard state.next < state.jobs.count else { return nil }
        let job = state.jobs[state.next]
        state.next += 1
        if state.next == state.jobs.count {
          state.jobs.removeAll(keepingCapacity: true)
          state.next = 0
        }
        return job
      }
      unsafe job?.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
