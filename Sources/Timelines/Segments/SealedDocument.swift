internal import EventInput
internal import Foundation

/// A document that machines exchange, as two lines of JSON: the first says what the second is, and
/// has its length and checksum.
///
///     {"bytes":1234,"checksum":"9f0c…","firstmile":"tally","version":6}
///     {"cells":[…],…}
public enum SealedDocument {
  /// What such a document may hold.
  public protocol Content: Codable {
    /// Whether its members fit each other, as far as a reader relies on that.
    var isSound: Bool { get }
  }

  private struct Seal: Codable {
    var firstmile: String
    var version: Int
    var bytes: Int
    var checksum: String
  }

  private static let version = 6
  private static let newline = UInt8(ascii: "\n")

  /// The written form: the same bytes for the same value.
  ///
  /// - Parameter kind: what it is, in one word.
  public static func bytes(_ value: some Content, kind: String) throws -> [UInt8] {
    let content = try OrderedJSON.bytes(value)
    let seal = Seal(
      firstmile: kind, version: version, bytes: content.count,
      checksum: String(StoredBytes.checksum(of: content), radix: 16))
    return try OrderedJSON.bytes(seal) + [newline] + content + [newline]
  }

  /// Why nothing can be read at a path.
  private static func reason(_ path: String) -> String {
    guard let file = FileIdentity(at: path) else { return "no such file" }
    if file.isPipe { return "it is a pipe; write what comes from it to a file and name that" }
    if file.isFolder { return "it is a folder; name a file" }
    return "no permission to read it"
  }

  /// Reads a document.
  ///
  /// - Throws: `SegmentError` where the file is something else, or not what was written.
  public static func read<Value: Content>(
    _ path: String, kind: String, as type: Value.Type
  ) throws(SegmentError) -> Value {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .unreadable(path, reason(path))
    }
    let bytes = [UInt8](data)
    guard let end = bytes.firstIndex(of: newline),
      let seal = OrderedJSON.value(Seal.self, Array(bytes[..<end]))
    else { throw .foreign(path, 0, named(kind)) }
    guard seal.firstmile == kind else { throw .foreign(path, 0, named(kind)) }
    guard seal.version == version else {
      throw .version(path, seal.version, read: version)
    }
    let content = Array(bytes[(end + 1)...].prefix(max(0, seal.bytes)))
    guard content.count == seal.bytes else { throw .truncated(path, end + 1) }
    guard String(StoredBytes.checksum(of: content), radix: 16) == seal.checksum,
      bytes.count <= end + 2 + content.count,
      let value = OrderedJSON.value(type, content), value.isSound
    else { throw .damaged(path, end + 1) }
    return value
  }

  private static func named(_ kind: String) -> String { "a \(kind)" }
}
