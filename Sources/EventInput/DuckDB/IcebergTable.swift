/// An Iceberg table: a folder with data and, in a folder `metadata`, one file for each version of
/// the table. Such a file stands for the whole table as it was then.
struct IcebergTable {
  private static let ending = ".metadata.json"

  let folder: InputPath
  /// What stands in the name of the version's file before its ending.
  let version: String
  /// Whether the version's file is compressed.
  let isCompressed: Bool

  /// The table that a file describes; `nil` if it isn't called like a version of one, or its path
  /// is no UTF-8, which DuckDB can't open.
  init?(metadata path: InputPath) {
    let parts = path.absolute.bytes.split(separator: UInt8(ascii: "/")).map { Array($0) }
    guard parts.count > 2, parts[parts.count - 2].elementsEqual("metadata".utf8),
      let name = parts.last, Self.isVersion(name),
      let text = String(validating: parts.dropLast(2).joined(separator: [47]), as: UTF8.self),
      var version = String(validating: name.dropLast(Self.ending.utf8.count), as: UTF8.self)
    else { return nil }
    isCompressed = version.hasSuffix(".gz")
    if isCompressed { version.removeLast(3) }
    self.version = version
    folder = InputPath("/" + text)
  }

  /// The files of a folder's newest version: several, where writers were at odds; none, where the
  /// folder is no such table.
  static func newest(in folder: InputPath) -> [InputPath] {
    let metadata = folder.appending(Array("metadata".utf8))
    guard case .success(let found) = FileIdentity.look(metadata), found.isFolder else { return [] }
    let names = FolderListing(metadata).names.filter(isVersion)
    let newest = names.map(number).max()
    return names.filter { number($0) == newest }.map(metadata.appending)
  }

  /// Whether a file's beginning is that of a version's.
  static func describes(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning, as: UTF8.self)
    return ["\"format-version\"", "\"table-uuid\"", "\"last-updated-ms\""].contains {
      text.contains($0)
    }
  }

  /// What stands behind FROM.
  var source: String {
    let codec = isCompressed ? ", metadata_compression_codec = 'gzip'" : ""
    return "iceberg_scan(\(DuckDBText.literal(folder.description)), "
      + "version = \(DuckDBText.literal(version)), allow_moved_paths = true\(codec))"
  }

  private static func isVersion(_ name: [UInt8]) -> Bool {
    name.first != UInt8(ascii: ".") && name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
  }

  /// `v3.metadata.json`, `00003-….metadata.json`.
  private static func number(_ name: [UInt8]) -> Int {
    let digits = name.drop { $0 == UInt8(ascii: "v") }.prefix { 0x30...0x39 ~= $0 }
    return Int(String(decoding: digits, as: UTF8.self)) ?? -1
  }
}
