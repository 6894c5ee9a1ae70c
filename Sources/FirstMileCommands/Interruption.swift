import EventInput
import Foundation
import Synchronization

/// What is cleared away when a signal ends the run (`EndingSignals`), such as folders of spilled
/// facts, and the one line that says what there is now. Unfinished files need not be named here:
/// `UnfinishedFiles` knows them.
///
/// A job may run within another one. Then both are cleared away, and the outer one's words are
/// said.
final class Interruption: Sendable {
  /// What is to be said, made when the signal comes.
  typealias Words = @Sendable () -> String

  private struct Own {
    var clearings: [@Sendable () -> Void] = []
    var words: Words?
  }

  private struct Run {
    /// The outer ones first.
    var open: [Interruption] = []
    var stop: StopSignal?
    var isEnding = false
    var isOver = false
  }

  private static let run = Mutex(Run())
  private let own = Mutex(Own())

  init() { Self.run.withLock { $0.open.append(self) } }

  /// Something more to clear when the run is interrupted.
  func clear(_ clear: @escaping @Sendable () -> Void) {
    own.withLock { $0.clearings.append(clear) }
  }

  /// The line for the person at the terminal, from here on.
  func say(_ words: @escaping Words) { own.withLock { $0.words = words } }

  /// There is nothing to clear any more. Does not return once a signal ends the run: it ends with
  /// that signal's exit code, and not with that of what fails meanwhile.
  func end() {
    Self.run.withLock { run in
      if !run.isEnding { run.open.removeAll { $0 === self } }
    }
    Self.waitIfEnding()
  }

  /// From here on the first signal is a wish.
  static func mind(_ stop: StopSignal) { run.withLock { $0.stop = stop } }

  /// A signal came: clears away and ends the program, unless the signal is a wish.
  static func take(_ number: Int32) {
    let open: [Interruption]? = run.withLock { run in
      if run.isOver || run.stop?.give() == true { return nil }
      run.isEnding = true
      return run.open
    }
    guard let open else { return }
    Console.beInterrupted()
    for interruption in open.reversed() {
      for clear in interruption.own.withLock({ $0.clearings }) { clear() }
    }
    UnfinishedFiles.discardAll()
    MadeFolders.end()
    let words = open.lazy.compactMap { $0.own.withLock { $0.words } }.first
    Console.lastMessage(words?() ?? "interrupted")
    _exit(128 + number)
  }

  /// The run is over, and the program about to exit: no signal changes anything any more. Does not
  /// return once one has.
  static func finishRun() {
    run.withLock { $0.isOver = !$0.isEnding }
    waitIfEnding()
    UnfinishedFiles.discardAll()
  }

  private static func waitIfEnding() {
    while run.withLock({ $0.isEnding }) { sleep(1) }
  }
}
