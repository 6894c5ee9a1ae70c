#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// One thing to read: a file, or standard input.
public struct InputSource: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case file(path: InputPath)
    case standardInput
  }

  public var kind: Kind

  public init(kind: Kind) {
    self.kind = kind
  }

  /// The file at a path, taken as it is.
  public static func file(_ path: String) -> InputSource { .file(InputPath(path)) }

  public static func file(_ path: InputPath) -> InputSource { InputSource(kind: .file(path: path)) }

  public static let standardInput = InputSource(kind: .standardInput)

  /// The path as people read it, or `-` for standard input.
  public var name: String {
    switch kind {
    case .file(let path): path.description
    case .standardInput: "-"
    }
  }
}

extension InputSource {
  /// The places of sources in order of their sizes on disk, the largest first; before all others
  /// those whose size nobody knows.
  public static func largestFirst(_ sources: [InputSource]) -> [Int] {
    let sizes = sources.map { $0.byteCount ?? .max }
    return sources.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }
  }

  /// What it takes on disk; `nil` for standard input, and where it can't be asked.
  public var byteCount: Int? {
    guard case .file(let path) = kind else { return nil }
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 ? Int(status.st_size) : nil
  }
}
