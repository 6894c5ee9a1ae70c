import EventInput
import Foundation
import WorkerThreads

/// What the system must grant before work begins. Without threads the runtime would wait for ever
/// for one, and without descriptors for its own it would crash.
enum ProcessLimits {
  /// For signals, the store, inputs and outputs at a time; more may be needed later, and is then an
  /// error of the file that can't be opened.
  private static let descriptors = 20

  /// Those that handle signals, report progress and wait, and two for each processor: one that
  /// counts and one that reads ahead.
  private static var threads: Int { 4 + 2 * ProcessInfo.processInfo.activeProcessorCount }

  /// - Throws: `CommandError` with the system's own reason.
  static func check() throws(CommandError) {
    let free = FreeDescriptors.count(upTo: descriptors)
    if let failure = free.failure {
      throw CommandError(
        "\(descriptors) file descriptors are needed, and the system grants \(free.count): "
          + "\(failure.message); raise the limit (ulimit -n)")
    }
    let granted = grantedThreads(upTo: threads)
    if let failure = granted.failure {
      throw CommandError(
        "\(threads) threads are needed, and the system grants \(granted.count): "
          + "\(failure.message); raise the limit of processes (ulimit -u, or "
          + "the container's pids limit), or give fewer processors (taskset)")
    }
  }

  /// Makes threads that are there at the same time, and ends them.
  private static func grantedThreads(
    upTo limit: Int
  ) -> (count: Int, failure: SystemThread.Refusal?) {
    let gate = Gate()
    var made: [SystemThread] = []
    defer {
      gate.open()
      for thread in made { thread.join() }
    }
    while made.count < limit {
      do throws(SystemThread.Refusal) {
        made.append(try SystemThread { gate.pass() })
      } catch {
        return (made.count, error)
      }
    }
    return (made.count, nil)
  }

  /// Where threads wait until all are made.
  private final class Gate: Sendable {
    private let condition = NSCondition()
    private nonisolated(unsafe) var isOpen = false

    func open() {
      condition.lock()
      unsafe isOpen = true
      condition.broadcast()
      condition.unlock()
    }

    func pass() {
      condition.lock()
      while unsafe !isOpen { condition.wait() }
      condition.unlock()
    }
  }
}
