internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Reads files that people write, such as flow and gate files: never more than they may hold,
/// whatever is behind the path.
public enum SmallFile {
  /// The bytes of a file; of one that is too large only so many that its parser refuses it.
  ///
  /// - Throws: what the system says where the file can't be read, and ``NamedPipe``.
  public static func bytes(atPath path: String) throws -> [UInt8] {
    if isNamedPipe(path) { throw NamedPipe() }
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

  /// A pipe that lies in a folder: reading it would wait until somebody writes to it.
  public struct NamedPipe: Error, CustomStringConvertible {
    /// What it is, and what can be done.
    public var description: String { "it is a pipe; write what comes from it to a file" }
  }

  /// Whether a path leads to a pipe that a command did not get from its shell, as it gets those of
  /// `<(…)`.
  public static func isNamedPipe(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return false }
    return !["/dev/", "/proc/"].contains(where: path.hasPrefix)
  }
}
