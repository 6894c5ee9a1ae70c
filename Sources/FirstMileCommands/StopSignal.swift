import Synchronization

/// The first signal (`EndingSignals`) as a wish to come to an end; the second interrupts the run.
final class StopSignal: Sendable {
  private let wasGiven = Atomic(false)

  init() { Interruption.mind(self) }

  var isGiven: Bool { wasGiven.load(ordering: .relaxed) }

  /// Returns whether it is the first.
  func give() -> Bool { !wasGiven.exchange(true, ordering: .relaxed) }

  /// Sleeps, but not longer than until the signal.
  func wait(seconds: Double) async {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    while !isGiven && ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(50))
    }
  }
}
