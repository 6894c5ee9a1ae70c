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

extension InputSource {
  /// The places of sources in order of their sizes on disk, the largest first; standard input,
  /// whose size nobody knows, before all, and what can't be asked last.
  public static func largestFirst(_ sources: [InputSource]) -> [Int] {
    let sizes = sources.map(\.byteCount)
    return sources.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }
  }

  private var byteCount: Int {
    guard case .file(let path) = kind else { return .max }
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : -1
  }
}
