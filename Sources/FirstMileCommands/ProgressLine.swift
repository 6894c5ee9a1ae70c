import EventInput
import Foundation
import Synchronization
import WorkerThreads

/// One line at the terminal that says how far a run is; nothing where standard error is no
/// terminal.
///
///     reading  41 %  143 of 352 MB  2,140,000 events  1,870,000 events/s  2 s left
///
/// A thread of its own looks at the counters a few times a second; nobody waits for it. The line
/// appears after half a second, so that short runs show none, and `end` erases it.
final class ProgressLine: Sendable {
  let reading = ReadProgress()

  private struct State {
    var phase = ""
    /// Bytes of all sources; 0 where that is unknown, as with standard input.
    var totalBytes = 0
    var hasThread = false
    var isOver = false
    var isShown = false
  }

  private let state = Mutex(State())
  private let start = ContinuousClock.now
  private static let secondsBetween = 0.2
  private static let secondsBefore = 0.5

  /// Begins a part of the run, and the line itself with the first.
  func begin(_ phase: String, totalBytes: @autoclosure () -> Int = 0) {
    guard isatty(2) == 1 else { return }
    let totalBytes = totalBytes()
    let isFirst = state.withLock { state in
      guard !state.isOver else { return false }
      state.phase = phase
      if totalBytes > 0 { state.totalBytes = totalBytes }
      defer { state.hasThread = true }
      return !state.hasThread
    }
    // Without a thread for it there is no line.
    if isFirst { _ = try? SystemThread { self.watch() } }
  }

  /// Erases the line; nothing appears any more.
  func end() {
    state.withLock { state in
      if state.isShown && !state.isOver { Console.terminal("\r\u{1B}[K") }
      state.isOver = true
    }
  }

  private func watch() {
    Thread.sleep(forTimeInterval: ProgressLine.secondsBefore)
    while true {
      let isOver = state.withLock { state in
        if state.isOver { return true }
        let width = max(20, Console.terminalColumns) - 1
        Console.terminal("\r" + text(state).prefix(width) + "\u{1B}[K")
        state.isShown = true
        return false
      }
      if isOver { return }
      Thread.sleep(forTimeInterval: ProgressLine.secondsBetween)
    }
  }

  private func text(_ state: State) -> String {
    let seconds = max(0.001, (ContinuousClock.now - start) / .seconds(1))
    let (bytes, events) = (reading.bytes, reading.events)
    let isReading = state.phase == ProgressLine.reading
    let rate = Int(Double(events) / seconds)
    var parts = [state.phase]
    if isReading && state.totalBytes > 0 {
      parts.append("\(min(100, bytes * 100 / state.totalBytes)) %")
      parts.append("\(bytes / 1_000_000) of \(state.totalBytes / 1_000_000) MB")
    } else {
      parts.append("\(bytes / 1_000_000) MB")
    }
    parts.append("\(Console.grouped(events)) events")
    if isReading { parts.append("\(Console.grouped(rate)) events/s") }
    if isReading && bytes > 0 && state.totalBytes > bytes {
      let left = seconds / Double(bytes) * Double(state.totalBytes - bytes)
      parts.append("\(Int(left.rounded(.up))) s left")
    }
    return parts.joined(separator: "  ")
  }

  /// The first part of a run, the only one whose length is known.
  static let reading = "reading"
}
