/// How a source is packed, told by its first bytes and never by its name.
public enum Compression: String, Sendable, Hashable, Codable, CaseIterable {
  case plain, gzip, zstd, zip

  /// What names of files say, for words about a source only.
  static let endings: [(ending: String, compression: Compression)] = [
    (".gz", .gzip), (".zst", .zstd), (".zip", .zip),
  ]
}
