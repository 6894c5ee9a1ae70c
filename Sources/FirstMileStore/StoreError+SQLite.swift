internal import EventInput
internal import Foundation
internal import GRDB
internal import Timelines

extension StoreError {
  /// What went wrong with a store in words that a user can act on; other errors as they are.
  static func of(_ error: any Error, path: String, waitedSeconds: Int) -> any Error {
    switch error {
    case let error as DatabaseError:
      StoreError(error, path: path, waitedSeconds: waitedSeconds)
    case let damage as TableDamage: StoreError.damaged(path, damage.description)
    case is StoredDamage: StoreError.damaged(path, "facts make no sense")
    default: error
    }
  }

  private init(_ error: DatabaseError, path: String, waitedSeconds: Int) {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path, seconds: waitedSeconds)
    // SQLite also calls a file full where a damaged one leads to a page beyond its largest number.
    case .SQLITE_FULL where StoreError.hasRoom(path):
      self = .damaged(path, "it leads to pages beyond its end")
    case .SQLITE_FULL: self = .full(path)
    // A file may ask that only newer versions of SQLite write to it. This one wrote every store.
    case .SQLITE_READONLY
    where error.extendedResultCode == .SQLITE_READONLY && Self.isWritable(path):
      self = .damaged(path, "its header asks for a newer version of SQLite")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: self = .readOnly(path)
    case .SQLITE_NOTADB: self = .notAStore(path)
    // All statements are this program's: where SQLite does not understand one, or finds a value
    // that a column may not have, the tables are not what the file says they are.
    case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG:
      self = .damaged(path, error.message ?? "SQLite can't read it")
    case .SQLITE_CANTOPEN: self = StoreError.unopened(path, error)
    case .SQLITE_IOERR where StoreError.hasNoSpace(path): self = .full(path)
    case .SQLITE_IOERR where Self.writing.contains(error.extendedResultCode):
      self =
        FileSizeLimit.bytes.map { .tooLarge(path, limit: $0) }
        ?? .other(path, error.message ?? "\(error.resultCode)")
    default: self = .other(path, error.message ?? "\(error.resultCode)")
    }
  }

  /// The file, or the files SQLite writes beside it, can't be opened: looks for the reason.
  private static func unopened(_ path: String, _ error: DatabaseError) -> StoreError {
    let folder = folder(of: path)
    var isFolder: ObjCBool = false
    let files = FileManager.default
    if unsafe files.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      return .cannotOpen(path, "it is a folder; name a file")
    }
    if !files.fileExists(atPath: folder) {
      return .cannotOpen(path, "there is no folder '\(folder)'; make it first")
    }
    if hasNoSpace(path) { return .full(path) }
    // The file itself, its log and its shared memory, and one to spare.
    if let failure = FreeDescriptors.count(upTo: 4).failure {
      return .cannotOpen(path, "\(failure.message); raise the limit (ulimit -n)")
    }
    if !files.fileExists(atPath: path) || files.isReadableFile(atPath: path) {
      return .readOnly(path)
    }
    return .cannotOpen(path, "permission denied; ask its owner, or use another store")
  }

  /// What SQLite says where the system refuses to write.
  private static let writing: [ResultCode] = [
    .SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_TRUNCATE,
  ]

  /// Whether the system lets this user write to the file and beside it.
  private static func isWritable(_ path: String) -> Bool {
    [path, folder(of: path)].allSatisfy(FileManager.default.isWritableFile)
  }

  /// Whether the volume has less than a few pages left.
  private static func hasNoSpace(_ path: String) -> Bool {
    freeBytes(inFolder: folder(of: path)).map { $0 < 262_144 } ?? false
  }

  /// Whether the volumes of the store and of SQLite's temporary files have more space left than any
  /// command takes: all pages once more in the file, in its log and in a temporary copy.
  private static func hasRoom(_ path: String) -> Bool {
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
