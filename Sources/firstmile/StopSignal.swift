import Dispatch
import Foundation
import Synchronization

/// A signal (`EndingSignals`) as a wish to come to an end; the second ends the program at once.
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
  private let atOnce: AtOnce

  /// What is done before the second ends the program; shared with the handlers.
  private final class AtOnce: Sendable {
    private let clear = Mutex<@Sendable () -> Void>({})

    private let besides = Mutex<@Sendable () -> Void>({})

    func set(_ clear: @escaping @Sendable () -> Void) { self.clear.withLock { $0 = clear } }

    func add(_ clear: @escaping @Sendable () -> Void) { besides.withLock { $0 = clear } }

    func run() {
      clear.withLock { $0 }()
      besides.withLock { $0 }()
    }
  }

  init() {
    let queue = DispatchQueue(label: "stop")
    let atOnce = AtOnce()
    self.atOnce = atOnce
    sources = EndingSignals.minded.map { [wish] number in
      // The source is told of the signal only if it does not end the program first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if wish.give() == 0 { return }
        atOnce.run()
        _exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  var isGiven: Bool { wish.isGiven }

  /// What the second signal does besides, as long as a command within this one runs.
  func atOnceBesides(_ clear: @escaping @Sendable () -> Void) { atOnce.add(clear) }

  /// What the second signal does before it ends the program.
  func atOnce(_ clear: @escaping @Sendable () -> Void) { atOnce.set(clear) }

  /// Sleeps, but not longer than until the signal.
  func wait(seconds: Double) async {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    while !isGiven && ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(50))
    }
  }
}
