import EventInput
import FlowDefinition
import Foundation
import ReportText
import Synchronization

/// Messages go to standard error, data to standard output; a closed pipe is no error.
enum Console {
  /// Writes data for the next program in the pipe.
  static func output(_ text: String) {
    write(text, to: 1)
  }

  /// Writes to the person at the terminal; what names and paths hide in it is shown escaped.
  static func message(_ text: String) {
    if !isInterrupted.load(ordering: .acquiring) { lastMessage(text) }
  }

  /// Writes to the terminal as it is: progress.
  static func terminal(_ text: String) {
    write(text, to: 2)
  }

  /// From here on messages are kept back, but for `lastMessage`: while an interrupt clears away,
  /// workers miss what was theirs, and what they say of it misleads.
  static func beInterrupted() { isInterrupted.store(true, ordering: .releasing) }

  /// What an interrupted run says in the end.
  static func lastMessage(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      InputPath.shown(HiddenScalars.escaped(String($0)))
    }
    terminal("firstmile: \(lines.joined(separator: "\n"))\n")
  }

  private static let isInterrupted = Atomic(false)

  /// How many columns the terminal has; 80 where it does not say.
  static var terminalColumns: Int {
    var size = winsize()
    guard unsafe ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// How many columns there are for a summary on standard output: those of the terminal, 80 in a
  /// file or a pipe. Lines that are much longer are hard to read.
  static var outputColumns: Int {
    var size = winsize()
    guard isatty(1) == 1, unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return min(140, Int(size.ws_col))
  }

  /// A count with commas between thousands.
  static func grouped(_ count: Int) -> String { NumberText.grouped(count) }

  /// Whether colours are wanted on standard output.
  static var hasColor: Bool {
    isatty(1) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
  }

  /// Why standard output could not be written to; `nil` while all went well. A pipe that the next
  /// program has closed is no failure.
  static var outputFailure: String? { failure.withLock { $0 } }
  private static let failure = Mutex<String?>(nil)

  private static func write(_ text: String, to descriptor: Int32) {
    unsafe Array(text.utf8).withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let written = unsafe Foundation.write(
          descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        if written < 0 && errno == EINTR { continue }
        if written <= 0 {
          let reason = errno
          if descriptor == 1 && written < 0 && reason != EPIPE {
            let words = reason == EBADF ? "it is closed" : systemMessage(reason)
            failure.withLock { $0 = $0 ?? words }
          }
          return
        }
        offset += written
      }
    }
  }
}
