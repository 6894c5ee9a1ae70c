import Dispatch

/// Counts jobs that wait, for threads that wait for jobs.
///
/// A class, because a semaphore is not declared to be safe between threads though it is made for
/// that.
final class DispatchGate: @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func signal() { semaphore.signal() }

  func wait() { semaphore.wait() }
}
