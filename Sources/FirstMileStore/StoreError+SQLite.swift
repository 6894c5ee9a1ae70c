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
    case .SQLITE_FULL where StoreSpace.isPlenty(path):
      self = .damaged(path, "it leads to pages beyond its end")
    case .SQLITE_FULL: self = .full(path)
    // A file may ask that only newer versions of SQLite write to it. This one wrote every store.
    case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY:
      self =
        Self.unwritable(path).map { .readOnly(path, blocked: $0) }
        ?? .damaged(path, "its header asks for a newer version of SQLite")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      self = .readOnly(path, blocked: Self.unwritable(path))
    case .SQLITE_NOTADB: self = .notAStore(path)
    // All statements are this program's: where SQLite does not understand one, or finds a value
    // that a column may not have, the tables are not what the file says they are.
    case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG:
      self = .damaged(path, error.message ?? "SQLite can't read it")
    case .SQLITE_CANTOPEN: self = StoreError.unopened(path, error)
    case .SQLITE_IOERR where StoreSpace.isUsedUp(path): self = .full(path)
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
    if StoreSpace.isUsedUp(path) { return .full(path) }
    // The file itself, its log and its shared memory, and one to spare.
    if let failure = FreeDescriptors.count(upTo: 4).failure {
      return .cannotOpen(path, "\(failure.message); raise the limit (ulimit -n)")
    }
    if !files.fileExists(atPath: path) || files.isReadableFile(atPath: path) {
      return .readOnly(path, blocked: unwritable(path))
    }
    return .cannotOpen(path, "permission denied; ask its owner, or use another store")
  }

  /// What SQLite says where the system refuses to write.
  private static let writing: [ResultCode] = [
    .SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_TRUNCATE,
  ]

  /// What of the store the system does not let this user write to: the file, its folder, or what
  /// another user's SQLite left beside it, who could not put it into the file.
  private static func unwritable(_ path: String) -> String? {
    let files = FileManager.default
    let own = [path, path + "-wal", path + "-shm"].filter(files.fileExists)
    return (own + [folder(of: path)]).first { !files.isWritableFile(atPath: $0) }
  }

  private static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }
}
