/// How a source is packed, told by its first bytes and never by its name.
public enum Compression: String, Sendable, Hashable, Codable, CaseIterable {
  case plain, gzip, zstd, zip
}
