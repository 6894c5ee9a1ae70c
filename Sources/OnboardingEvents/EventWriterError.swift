/// Why an event is not in a file.
public enum EventWriterError: Error, Sendable, Hashable {
  /// The event is wrong; the file is as it was.
  case invalid(EventMistake)
  /// A file can't be made, written or renamed.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - operation: what failed, such as `open`.
  ///   - code: the system's `errno`.
  case file(path: String, operation: String, code: Int32)
  /// The writer was closed before.
  case closed
}

extension EventWriterError: CustomStringConvertible {
  /// What went wrong and what to look at, for the developer who reads a log.
  public var description: String {
    switch self {
    case .invalid(let mistake): mistake.description
    case .file(let path, let operation, let code):
      "'\(path)': \(operation) failed with errno \(code); is the folder there, and is it writable?"
    case .closed: "the writer is closed: make a new one"
    }
  }
}
