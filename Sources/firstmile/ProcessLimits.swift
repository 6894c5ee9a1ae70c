import EventInput
import Foundation

/// What the system must grant before work begins. Without threads the runtime would wait for ever
/// for one, and without descriptors for its own it would crash.
enum ProcessLimits {
  /// For signals, the store, inputs and outputs at a time; more may be needed later, and is then an
  /// error of the file that can't be opened.
  private static let descriptors = 20

  /// Those that minds signals, tells of progress and waits, and two for each processor: one that
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
    if let number = granted.failure {
      throw CommandError(
        "\(threads) threads are needed, and the system grants \(granted.count): "
          + "\(String(cString: strerror(number))); raise the limit of processes (ulimit -u, or "
          + "the container's pids limit), or give fewer processors (taskset)")
    }
  }

  /// Makes threads that are there at the same time, and ends them.
  private static func grantedThreads(upTo limit: Int) -> (count: Int, failure: Int32?) {
    let gate = Gate()
    var made: [pthread_t] = []
    var failure: Int32?
    while made.count < limit && failure == nil {
      #if canImport(Darwin)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      let context = Unmanaged.passRetained(gate).toOpaque()
      let result = pthread_create(&thread, nil, waitAtGate, context)
      if result != 0 {
        Unmanaged<Gate>.fromOpaque(context).release()
        failure = result
      } else {
        #if canImport(Darwin)
          if let thread { made.append(thread) }
        #else
          made.append(thread)
        #endif
      }
    }
    gate.open()
    for thread in made { pthread_join(thread, nil) }
    return (made.count, failure)
  }

  /// Where threads wait until all are made.
  private final class Gate: Sendable {
    private let condition = NSCondition()
    private nonisolated(unsafe) var isOpen = false

    func open() {
      condition.lock()
      isOpen = true
      condition.broadcast()
      condition.unlock()
    }

    func pass() {
      condition.lock()
      while !isOpen { condition.wait() }
      condition.unlock()
    }
  }

  #if canImport(Darwin)
    private static let waitAtGate:
      @convention(c) (UnsafeMutableRawPointer) ->
        UnsafeMutableRawPointer? = { context in
          Unmanaged<Gate>.fromOpaque(context).takeRetainedValue().pass()
          return nil
        }
  #else
    private static let waitAtGate:
      @convention(c) (UnsafeMutableRawPointer?) ->
        UnsafeMutableRawPointer? = { context in
          if let context { Unmanaged<Gate>.fromOpaque(context).takeRetainedValue().pass() }
          return nil
        }
  #endif
}
