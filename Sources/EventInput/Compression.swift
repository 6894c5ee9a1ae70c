/// How a source is packed, recognised by its first bytes; brotli, which has no mark, by its name.
public enum Compression: String, Sendable, Hashable, Codable, CaseIterable {
  case plain, gzip, zstd, zip, bzip2, xz, lz4, brotli, lzma

  /// What names of files say, for words about a source, and for brotli.
  static let endings: [(ending: String, compression: Compression)] = [
    (".gz", .gzip), (".zst", .zstd), (".zip", .zip), (".bz2", .bzip2), (".xz", .xz),
    (".lzma", .lzma),
    (".lz4", .lz4), (brotliEnding, .brotli),
  ]
  static let brotliEnding = ".br"
}
