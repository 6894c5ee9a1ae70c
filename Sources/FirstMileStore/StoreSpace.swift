internal import Foundation

/// The space on the volumes that a store's commands write to.
enum StoreSpace {
  /// Whether the store's volume has less than a few pages left.
  static func isUsedUp(_ path: String) -> Bool {
    freeBytes(inFolder: folder(of: path)).map { $0 < 262_144 } ?? false
  }

  /// Whether the volumes of the store and of SQLite's temporary files have more space left than any
  /// command takes: all pages once more in the file, in its log and in a temporary copy.
  static func isPlenty(_ path: String) -> Bool {
    let files = [path, path + "-wal"].compactMap {
      try? FileManager.default.attributesOfItem(atPath: $0)[.size] as? NSNumber
    }
    let size = files.reduce(0) { $0 + $1.intValue }
    return [folder(of: path), temporaryFolder].allSatisfy {
      freeBytes(inFolder: $0).map { $0 > 64 << 20 && $0 / 4 > size } ?? false
    }
  }

  /// Where SQLite writes what doesn't fit into memory: the first of these folders that can be
  /// written to (https://sqlite.org/tempfiles.html, "Temporary file storage locations").
  private static var temporaryFolder: String {
    let environment = ProcessInfo.processInfo.environment
    let folders = [
      environment["SQLITE_TMPDIR"], environment["TMPDIR"], "/var/tmp", "/usr/tmp", "/tmp",
    ]
    return folders.compactMap(\.self).first(where: FileManager.default.isWritableFile) ?? "."
  }

  private static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  private static func freeBytes(inFolder folder: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
  }
}
