#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// One thing to read: a file, standard input, an object over the network, or bytes in memory.
public struct InputSource: Sendable, Hashable {
  /// Where the bytes come from.
  public enum Kind: Sendable, Hashable {
    case file(path: InputPath)
    case standardInput
    case remote(RemoteObject)
    case memory(InMemoryBytes)
  }

  /// Where this source's bytes come from.
  public var kind: Kind

  /// A source of this kind; nothing is opened or looked up yet.
  public init(kind: Kind) {
    self.kind = kind
  }

  /// The file at a path, taken as it is.
  public static func file(_ path: String) -> InputSource { .file(InputPath(path)) }

  /// The file at a path of any bytes, taken as it is.
  public static func file(_ path: InputPath) -> InputSource { InputSource(kind: .file(path: path)) }

  /// What the process is given as standard input, which can be read once only.
  public static let standardInput = InputSource(kind: .standardInput)

  /// The path as people read it, `-` for standard input, or an address without its secrets.
  public var name: String {
    switch kind {
    case .file(let path): path.description
    case .standardInput: "-"
    case .remote(let object): object.name
    case .memory(let bytes): bytes.name
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

  /// What it takes where it is stored; `nil` for standard input, and where it can't be asked.
  public var byteCount: Int? {
    if case .remote(let object) = kind { return object.byteCount }
    if case .memory(let bytes) = kind { return bytes.content.count }
    guard case .file(let path) = kind else { return nil }
    var status = stat()
    return unsafe path.withCString { unsafe stat($0, &status) } == 0 ? Int(status.st_size) : nil
  }
}

extension InputSource {
  /// Whether its bytes are still there after it was read: not those of a pipe.
  public var canBeReadTwice: Bool {
    switch kind {
    case .file(let path): (try? FileIdentity.look(path).get())?.isRegular == true
    case .standardInput: false
    case .remote, .memory: true
    }
  }

  /// Names the sources that will be read, in the order in which that is likely: some of those over
  /// the network are fetched while others are read.
  public static func expect(_ sources: [InputSource]) {
    var objects: [RemoteAccess: [RemoteObject]] = [:]
    for case .remote(let object) in sources.map(\.kind) {
      objects[object.access, default: []].append(object)
    }
    for (access, objects) in objects { access.expect(objects) }
  }

  /// Ends what was begun for sources that were not read after all.
  public static func expectNone(of sources: [InputSource]) {
    var accesses: Set<RemoteAccess> = []
    for case .remote(let object) in sources.map(\.kind) { accesses.insert(object.access) }
    for access in accesses { access.expect([]) }
  }
}
