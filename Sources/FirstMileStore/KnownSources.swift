internal import EventInput

/// The sources that are in a store, to know a file again.
struct KnownSources: Sendable {
  private var numbersByStamp: [String: Int64] = [:]
  private var numbersByDigest: [String: Int64] = [:]
  private var sizes: Set<Int> = []

  init(_ sources: [StoredSource]) {
    for source in sources {
      numbersByStamp[source.stamp] = source.id
      numbersByDigest[source.digest] = source.id
      sizes.insert(source.summary.compressedBytes)
    }
  }

  /// The source that a file is, if it is in already; looks at its content only where a source of
  /// its size is in.
  func number(of source: InputSource) -> Int64? {
    guard let (stamp, bytes) = FileStamp.of(source) else { return nil }
    if let same = numbersByStamp[stamp] { return same }
    // An object would have to be fetched for that: then it can as well be read.
    guard case .file(let file) = source.kind else { return nil }
    guard sizes.contains(bytes), let digest = FileStamp.digest(file) else { return nil }
    return numbersByDigest[digest]
  }

  /// Whether a source is in already by its stamp alone.
  func hasStamp(of source: InputSource) -> Bool {
    FileStamp.of(source).map { numbersByStamp[$0.stamp] != nil } ?? false
  }
}
