import CFirstMileSignals
import EventInput
import Foundation
import WorkerThreads

/// The signals that end a run in good order: what it would leave behind is cleared away, and it
/// ends with 128 and the signal's number, as shells expect.
///
/// SIGINT and SIGTERM, the terminal that goes away (SIGHUP), its quit key (SIGQUIT) and the limit
/// of processor time (SIGXCPU): each would leave rejected lines and facts with raw ids on disk.
/// What was ignored when the program began stays so where the starter means it to: `nohup` ignores
/// SIGHUP. SIGINT is minded all the same: shells ignore it for what they start in the background.
///
/// From its first moment the program notes each of them in a pipe; a thread takes them from there
/// one by one. So none is lost, however early it comes and however busy the processors are.
enum EndingSignals {
  /// Signals that are no reason to end: what caused them is an error where it happens. A pipe that
  /// is closed, and a file that may not grow any more (`ulimit -f`).
  static func ignoreFailures() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Minds signals from here on.
  ///
  /// - Throws: `CommandError` with the system's reason; signals then do what they do elsewhere.
  static func begin() throws(CommandError) {
    let numbers = signals_open()
    guard numbers >= 0 else { throw refusal(systemMessage(errno)) }
    do throws(SystemThread.Refusal) {
      _ = try SystemThread { takeAll(from: numbers) }
    } catch {
      throw refusal(error.message)
    }
    let others = [SIGHUP, SIGQUIT, SIGXCPU].filter { signals_is_ignored($0) == 0 }
    for number in [SIGINT, SIGTERM] + others where signals_catch(number) != 0 {
      throw refusal(systemMessage(errno))
    }
  }

  private static func takeAll(from descriptor: Int32) {
    var number: UInt8 = 0
    while true {
      let count = unsafe read(descriptor, &number, 1)
      if count == 1 {
        Interruption.take(Int32(number))
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }

  private static func refusal(_ reason: String) -> CommandError {
    CommandError("signals can't be minded: \(reason)")
  }
}
