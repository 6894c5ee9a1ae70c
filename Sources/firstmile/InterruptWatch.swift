import Dispatch
import Foundation
import Timelines

/// Removes the folder of laid-aside facts when the program is told to stop.
///
/// Ends with 130 after SIGINT and 143 after SIGTERM, as shells expect of a program that was stopped.
final class InterruptWatch {
  private let folder: SpillFolder
  private let sources: [any DispatchSourceSignal]

  init(_ folder: SpillFolder) {
    self.folder = folder
    sources = [SIGINT, SIGTERM].map { number in
      // The source is told of the signal only if it does not end the program first.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        folder.remove()
        _exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  /// Removes the folder at the end of a run.
  func finish() {
    folder.remove()
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
