import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM as a wish to come to an end; the second ends the program at once.
final class StopSignal {
  /// How often a signal came; for other threads to ask.
  final class Wish: Sendable {
    private let count = Atomic<Int>(0)

    var isGiven: Bool { count.load(ordering: .relaxed) > 0 }

    /// Returns how often it was given before.
    func give() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
  }

  let wish = Wish()
  private let sources: [any DispatchSourceSignal]

  init() {
    let queue = DispatchQueue(label: "stop")
    sources = [SIGINT, SIGTERM].map { [wish] number in
      // The source is told of the signal only if it does not end the program first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { if wish.give() > 0 { _exit(128 + number) } }
      source.resume()
      return source
    }
  }

  var isGiven: Bool { wish.isGiven }

  /// Sleeps, but not longer than until the signal.
  func wait(seconds: Double) async {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    while !isGiven && ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(50))
    }
  }
}
