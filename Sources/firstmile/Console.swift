import Foundation

/// Messages go to standard error, data to standard output; a closed pipe is no error.
enum Console {
  /// Writes data for the next program in the pipe.
  static func output(_ text: String) {
    write(text, to: 1)
  }

  /// Tells the person at the terminal.
  static func message(_ text: String) {
    write("firstmile: \(text)\n", to: 2)
  }

  /// Whether colours are wanted on standard output.
  static var hasColor: Bool {
    isatty(1) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
  }

  private static func write(_ text: String, to descriptor: Int32) {
    signal(SIGPIPE, SIG_IGN)
    Array(text.utf8).withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let written = Foundation.write(
          descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        if written <= 0 { return }
        offset += written
      }
    }
  }
}
