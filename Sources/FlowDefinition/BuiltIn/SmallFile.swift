internal import Foundation

/// Reads files that people write, such as flow and gate files: never more than they may hold,
/// whatever is behind the path.
public enum SmallFile {
  /// The bytes of a file; of one that is too large only so many that its parser refuses it.
  ///
  /// - Throws: what the system says where the file can't be read.
  public static func bytes(atPath path: String) throws -> [UInt8] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    let most = YAMLText.maximumBytes + 1
    var bytes: [UInt8] = []
    // A pipe gives less than is asked for.
    while bytes.count < most, let part = try file.read(upToCount: most - bytes.count),
      !part.isEmpty
    {
      bytes += part
    }
    return bytes
  }
}
