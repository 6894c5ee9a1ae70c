import Foundation

/// The signals that end a run in good order: what it would leave behind is cleared away, and it
/// ends with 128 and the signal's number, as shells expect.
///
/// SIGINT and SIGTERM, the terminal that goes away (SIGHUP), its quit key (SIGQUIT) and the limit
/// of processor time (SIGXCPU): each would leave rejected lines and facts with raw ids on disk.
/// What was ignored when the program began stays so where the starter means it to: `nohup` ignores
/// SIGHUP. SIGINT is minded all the same: shells ignore it for what they start in the background.
enum EndingSignals {
  /// Those to mind. Asked once, before the first of them is minded.
  static let minded: [Int32] =
    [SIGINT, SIGTERM] + [SIGHUP, SIGQUIT, SIGXCPU].filter { !isIgnored($0) }

  /// Signals that are no reason to end: what caused them is an error where it happens. A pipe that
  /// is closed, and a file that may not grow any more (`ulimit -f`).
  static func ignoreFailures() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if os(Linux)
      guard let handler = action.__sigaction_handler.sa_handler else { return false }
    #else
      guard let handler = action.__sigaction_u.__sa_handler else { return false }
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
