/// One mistake in a flow file: where it is, what stands there, and what may stand there.
public struct FlowFileError: Error, Sendable, Hashable {
  /// The file's name as the user gave it.
  public var file: String
  /// Counted from 1.
  public var line: Int
  /// Counted from 1, in Unicode scalars.
  public var column: Int
  /// What was found: a key, a value, or what kind of node it is.
  public var found: String
  /// What is allowed at this place; empty where that can't be listed.
  public var allowed: [String]
  /// The nearest right spelling, if one is near.
  public var suggestion: String?
  /// The mistake in words, without the position and without `allowed` and `suggestion`.
  public var message: String

  /// A mistake at a place in a file; line and column are counted from 1.
  public init(
    file: String, line: Int, column: Int, found: String, allowed: [String] = [],
    suggestion: String? = nil, message: String
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.found = found
    self.allowed = allowed
    self.suggestion = suggestion
    self.message = message
  }
}

extension FlowFileError: CustomStringConvertible {
  /// So many of the allowed names a message shows.
  private static let shownNames = 100

  /// `flows/x.yaml:12:7: unknown key 'stps'; allowed here: …; did you mean 'steps'?`
  public var description: String {
    var text = "\(file):\(line):\(column): \(message)"
    if !allowed.isEmpty {
      text += "; allowed here: " + allowed.prefix(FlowFileError.shownNames).joined(separator: ", ")
      let more = allowed.count - FlowFileError.shownNames
      if more > 0 { text += " and \(more) more" }
    }
    if let suggestion { text += "; did you mean '\(suggestion)'?" }
    return text
  }
}

/// All mistakes of a flow file, by position.
public struct FlowFileErrors: Error, Sendable, Hashable, CustomStringConvertible {
  /// By position; at least one.
  public var errors: [FlowFileError]

  /// At least one mistake, by position.
  public init(_ errors: [FlowFileError]) {
    self.errors = errors
  }

  /// One line a mistake.
  public var description: String {
    errors.map(\.description).joined(separator: "\n")
  }
}

/// Something in a flow file that is allowed and yet likely not what was meant.
public struct FlowFileWarning: Sendable, Hashable, CustomStringConvertible {
  /// The file as the user named it.
  public var file: String
  /// Counted from 1.
  public var line: Int
  /// Counted from 1, in Unicode scalars.
  public var column: Int
  /// What is likely not meant, and what to write instead.
  public var message: String

  /// A warning at a place in a file; line and column are counted from 1.
  public init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// `flows/x.yaml:12:7: warning: …`
  public var description: String { "\(file):\(line):\(column): warning: \(message)" }
}

/// A flow file that was understood.
public struct ParsedFlow: Sendable, Hashable {
  /// What the file says.
  public var flow: Flow
  /// By position; empty for a file with nothing to remark on.
  public var warnings: [FlowFileWarning]

  /// A flow and what there is to remark on in its file.
  public init(flow: Flow, warnings: [FlowFileWarning] = []) {
    self.flow = flow
    self.warnings = warnings
  }
}
