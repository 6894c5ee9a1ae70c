internal import Foundation
internal import Synchronization

/// Waits for another writer, a little longer each time, and says so once.
final class BusyWait: Sendable {
  private let waiting: FactStore.Waiting
  private struct State {
    var since: ContinuousClock.Instant?
    var hasTold = false
    var isPatient = true
  }

  private let state = Mutex(State())

  init(_ waiting: FactStore.Waiting) { self.waiting = waiting }

  /// Does some work that is left where another writer is in the way.
  func withoutWaiting<Result>(_ work: () throws -> Result) rethrows -> Result {
    state.withLock { $0.isPatient = false }
    defer { state.withLock { $0.isPatient = true } }
    return try work()
  }

  /// Sleeps, and says whether to try once more.
  ///
  /// - Parameter tries: how often it was tried before, for one lock.
  func goesOn(afterTries tries: Int) -> Bool {
    let now = ContinuousClock.now
    let (waited, tells, isPatient) = state.withLock { state in
      if tries == 0 || state.since == nil { state.since = now }
      let waited = (state.since ?? now).duration(to: now)
      let tells = !state.hasTold && waited > .seconds(1)
      if tells { state.hasTold = true }
      return (waited, tells, state.isPatient)
    }
    if !isPatient { return false }
    if tells { waiting.tell() }
    if waited >= .seconds(waiting.seconds) { return false }
    usleep(UInt32(min(50_000, 1000 * (tries + 1))))
    return true
  }
}
