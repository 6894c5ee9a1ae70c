/// One thing to read: a file, or standard input.
public struct InputSource: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case file(path: String)
    case standardInput
  }

  public var kind: Kind

  public init(kind: Kind) {
    self.kind = kind
  }

  /// The file at a path, taken as it is.
  public static func file(_ path: String) -> InputSource { InputSource(kind: .file(path: path)) }

  public static let standardInput = InputSource(kind: .standardInput)

  /// The path, or `-` for standard input.
  public var name: String {
    switch kind {
    case .file(let path): path
    case .standardInput: "-"
    }
  }
}
