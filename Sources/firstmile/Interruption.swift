import Dispatch
import Foundation

/// Clears away what an interrupted run (SIGINT, SIGTERM) would leave behind, then lets the signal
/// end it as it would have.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  init(clear: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        clear()
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
      source.resume()
      return source
    }
  }

  /// From here on the signals end the run without clearing.
  func end() {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
