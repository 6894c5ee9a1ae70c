import Dispatch
import Foundation
import Synchronization

/// Clears away what an interrupted run (`EndingSignals`) would leave behind: folders of spilled
/// facts, parts of the rejects file, and says in one line what there is now. One for the whole run:
/// of two the first to end it would not clear what the other knows.
final class Interruption {
  /// What is to be said, made when the signal comes.
  typealias Words = @Sendable () -> String

  private let clearings: Clearings
  private let sources: [any DispatchSourceSignal]
  private let restores: [() -> Void]

  /// What there is to clear; shared with the handlers.
  private final class Clearings: Sendable {
    private let all = Mutex<[@Sendable () -> Void]>([])
    private let words: Mutex<Words>
    private let isFinal: Bool
    private let state = Mutex(State.open)

    private enum State { case open, clearing, ended }

    init(finalWords: Words? = nil) {
      words = Mutex(finalWords ?? { "interrupted" })
      isFinal = finalWords != nil
    }

    func add(_ clear: @escaping @Sendable () -> Void) { all.withLock { $0.append(clear) } }

    func run() {
      guard move(to: .clearing) else { return }
      Console.beInterrupted()
      for clear in all.withLock({ $0 }) { clear() }
      Console.lastMessage(words.withLock { $0 }())
    }

    /// Whether the run could be ended: not while it is being cleared away.
    func end() -> Bool { move(to: .ended) }

    private func move(to next: State) -> Bool {
      state.withLock { state in
        guard state == .open || state == next else { return false }
        state = next
        return true
      }
    }

    func say(_ words: @escaping Words) {
      if !isFinal { self.words.withLock { $0 = words } }
    }
  }

  /// Clears and ends the run at the first signal.
  init() {
    let clearings = Clearings()
    self.clearings = clearings
    // A queue of its own has a thread even while workers keep every processor busy.
    let queue = DispatchQueue(label: "interrupts")
    var restores: [() -> Void] = []
    sources = EndingSignals.minded.map { number in
      // The source is told of the signal only if it does not end the program first.
      let before = signal(number, SIG_IGN)
      restores.append { signal(number, before) }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        clearings.run()
        _exit(128 + number)
      }
      source.resume()
      return source
    }
    self.restores = restores
  }

  /// Clears at the second signal, where the first is a wish that a command around this one minds;
  /// that command's words are said, whatever others are given.
  init(atSecondOf stop: StopSignal, saying words: @escaping Words) {
    let clearings = Clearings(finalWords: words)
    self.clearings = clearings
    sources = []
    stop.atOnceBesides { clearings.run() }
    restores = [{ stop.atOnceBesides {} }]
  }

  /// Something more to clear when the run is interrupted.
  func clear(_ clear: @escaping @Sendable () -> Void) { clearings.add(clear) }

  /// The line for the person at the terminal, from here on.
  func say(_ words: @escaping Words) { clearings.say(words) }

  /// From here on the signals do what they did before: as a rule they end the run without clearing.
  ///
  /// Does not return while an interrupt clears away: the handler ends the program, with its exit
  /// code and not with that of what fails meanwhile.
  func end() {
    while !clearings.end() { sleep(1) }
    for source in sources { source.cancel() }
    for restore in restores { restore() }
  }
}
