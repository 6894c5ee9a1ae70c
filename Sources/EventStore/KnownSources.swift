internal import EventInput

/// The sources that are in a store, to know a file again.
struct KnownSources: Sendable {
  private var numbersByStamp: [String: Int64] = [:]
  private var numbersByDigest: [String: Int64] = [:]
  private var sizes: Set<Int> = []

  init(_ sources: [StoredSource]) {
    for source in sources {
      numbersByStamp[source.stamp] = source.id
      numbersByDigest[source.summary.digest] = source.id
      sizes.insert(source.summary.compressedBytes)
    }
  }

  /// The source that a file is, if it is in already; looks at its content only where a source of
  /// its size is in.
  func number(of source: InputSource) -> Int64? {
    guard case .file(let file) = source.kind, let (stamp, bytes) = FileStamp.of(source) else {
      return nil
    }
    if let same = numbersByStamp[stamp] { return same }
    guard sizes.contains(bytes), let digest = FileStamp.digest(file) else { return nil }
    return numbersByDigest[digest]
  }
}
