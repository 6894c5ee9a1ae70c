/// An input that can't be read at all: the others count, the run ends with exit code 2.
public struct InputProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// Kinds of problems that are handled in a way of their own.
  public enum Kind: Sendable, Hashable {
    case other
    /// The path leads to nothing.
    case nothingThere
    /// The folder holds no dump.
    case emptyFolder
    /// The file is of a kind that isn't read: "a Parquet file".
    case foreign(String)
  }

  /// The argument or file as the user knows it.
  public var name: String
  /// What is wrong, and what can be done.
  public var message: String
  /// Whether it is a problem that a command handles in a way of its own.
  public var kind: Kind

  /// A problem of one input; its message also says what can be done.
  public init(name: String, message: String, kind: Kind = .other) {
    self.name = name
    self.message = message
    self.kind = kind
  }

  /// The input's name, and what is wrong with it.
  public var description: String { "\(name): \(message)" }
}
