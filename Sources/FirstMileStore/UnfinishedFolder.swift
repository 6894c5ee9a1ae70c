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
  private let lock: PathLock?
  /// By which `UnfinishedFiles` knows it.
  private let number: Int

  /// - Throws: `StoreError` if there is no writing there.
  init(in parent: String) throws {
    let made: (path: String, lock: PathLock?)
    (made, number) = try UnfinishedFiles.add {
      let made = try Self.make(in: parent)
      return (made, { PrivateFolder.discard(made.path) })
    }
    (path, lock) = made
  }

  /// Makes a folder and locks it.
  private static func make(in parent: String) throws -> (path: String, lock: PathLock?) {
    while true {
      guard let path = PrivateFolder.make("\(parent)/\(beginning)") else {
        throw StoreError.rejects(parent, systemMessage(errno))
      }
      do throws(PathLock.Refusal) {
        let lock = try PathLock(path)
        // Until it was locked it looked like one that was left, and may have been removed as such.
        if lock.isOfWhatLies(at: path) { return (path, lock) }
      } catch .isImpossible {
        // Where folders can't be locked, nobody can take this one for one that was left.
        return (path, nil)
      } catch {}
    }
  }

  deinit {
    PrivateFolder.discard(path)
    UnfinishedFiles.remove(number)
  }

  /// Removes what processes left that are gone.
  static func removeAbandoned(in parent: String) {
    // Not through a link, which may lead to somebody else's files.
    guard FileIdentity(at: parent, followingLinks: false)?.isFolder == true else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    where name.hasPrefix(beginning) || name.hasSuffix(".firstmile.part") {
      guard let lock = try? PathLock("\(parent)/\(name)") else { continue }
      withExtendedLifetime(lock) { PrivateFolder.remove("\(parent)/\(name)") }
    }
  }
}
