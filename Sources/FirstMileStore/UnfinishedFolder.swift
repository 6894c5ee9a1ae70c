internal import EventInput
internal import Foundation

/// A folder inside that of the rejects, for lines on their way to their files: they hold raw ids,
/// so what a killed process leaves there has to go.
///
/// It is locked as long as its process lives; the system gives the lock back however the process
/// ends. So a folder that can be locked has no owner, and the next process that looks removes it.
package final class UnfinishedFolder: Sendable {
  private static let beginning = "reading-"
  let path: String
  private let lock: Int32
  /// By which `UnfinishedFiles` knows it.
  private let number: Int

  /// - Throws: `StoreError` if there is no writing there.
  init(in parent: String) throws {
    let made: (path: String, lock: Int32)
    (made, number) = try UnfinishedFiles.add {
      let made = try Self.make(in: parent)
      return (made, { PrivateFolder.discard(made.path) })
    }
    (path, lock) = made
  }

  /// Makes a folder and locks it.
  private static func make(in parent: String) throws -> (path: String, lock: Int32) {
    while true {
      guard let path = PrivateFolder.make("\(parent)/\(beginning)") else {
        throw StoreError.rejects(parent, systemMessage(errno))
      }
      if let lock = locked(path) {
        // Until it was locked it looked like one that was left, and may have been removed as such.
        if FileIdentity(descriptor: lock) == FileIdentity(at: path) { return (path, lock) }
        close(lock)
      } else if errno != EWOULDBLOCK && errno != ENOENT {
        // Where folders can't be locked, nobody can take this one for one that was left.
        return (path, -1)
      }
    }
  }

  /// Opens a folder, or a file, that no living process has locked, and locks it.
  private static func locked(_ path: String) -> Int32? {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    let reason = errno
    close(descriptor)
    errno = reason
    return nil
  }

  deinit {
    PrivateFolder.discard(path)
    UnfinishedFiles.remove(number)
    if lock >= 0 { close(lock) }
  }

  /// Removes what processes left that are gone.
  static func removeAbandoned(in parent: String) {
    // Not through a link, which may lead to somebody else's files.
    guard FileIdentity(at: parent, followingLinks: false)?.isFolder == true else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    where name.hasPrefix(beginning) || name.hasSuffix(".firstmile.part") {
      guard let lock = locked("\(parent)/\(name)") else { continue }
      PrivateFolder.remove("\(parent)/\(name)")
      close(lock)
    }
  }
}
