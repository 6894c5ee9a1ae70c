/// An input that can't be read at all: the others count, the run ends with exit code 2.
public struct InputProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The argument or file as the user knows it.
  public var name: String
  /// What is wrong, and what can be done.
  public var message: String

  public init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  public var description: String { "\(name): \(message)" }
}
