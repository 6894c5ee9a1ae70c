import EventInput
import Synchronization

/// How far the views are that somebody waits for.
final class ServedProgress: Sendable {
  private struct State {
    var words = "Waiting for another view"
    var reading: ReadProgress?
    let start = ContinuousClock.now
  }

  private let totalFacts: Int
  private let state = Mutex(State())

  init(totalFacts: Int) { self.totalFacts = totalFacts }

  func begin(_ words: String, _ reading: ReadProgress? = nil) {
    state.withLock { state in
      state.words = words
      state.reading = reading
    }
  }

  var seconds: Int {
    state.withLock { max(1, Int((ContinuousClock.now - $0.start) / .seconds(1))) }
  }

  /// `Reading the store: 1,200,000 of 5,000,000 facts …`
  var words: String {
    state.withLock { state in
      guard let reading = state.reading else { return "\(state.words) …" }
      let read = Console.grouped(min(reading.events, totalFacts))
      return "\(state.words): \(read) of \(Console.grouped(totalFacts)) facts …"
    }
  }
}
