import EventInput
import Foundation

/// A process's turn at writing into a folder, where others may be about to write the same files.
///
/// Jobs that were started at once come one after the other: what is under way has one name beside
/// its place (`Replacement`), and what is added to what is there must not be read before another
/// process has written it. A turn ends with the process, however that ends, and leaves nothing.
final class FolderTurn: Sendable {
  /// Others take seconds; one that was halted never ends.
  static let seconds = 600
  /// `nil` where the folder can't be locked.
  private let lock: PathLock?
  /// Why it can't.
  let reason: String?

  /// Waits for the others.
  ///
  /// - Parameters:
  ///   - what: that all of them write, such as `reports`.
  ///   - make: makes the folder where it is gone.
  /// - Throws: `CommandError` where another process keeps the folder, and what `make` throws.
  init(
    _ folder: String, for what: String, seconds: Int = FolderTurn.seconds, make: () throws -> Void
  ) throws {
    let start = ContinuousClock.now
    var isSaid = false
    while true {
      let path = RealPlace(folder.isEmpty ? "." : folder).path
      do throws(PathLock.Refusal) {
        let lock = try PathLock(path)
        guard lock.isOfWhatLies(at: path) else { continue }
        (self.lock, reason) = (lock, nil)
        return
      } catch .isImpossible(let number) {
        (lock, reason) = (nil, systemMessage(number))
        return
      } catch .isGone {
        try make()
        continue
      } catch {}
      let waited = start.duration(to: .now)
      if waited >= .seconds(seconds) {
        throw CommandError(
          "\(what) can't be written to '\(folder)': another process has been at it for \(seconds) "
            + "s; run the same command again when it has ended")
      }
      if !isSaid && waited > .seconds(1) {
        isSaid = true
        Console.message(
          "another process is writing \(what) to '\(folder)'; waiting for it, at most \(seconds) s")
      }
      usleep(20_000)
    }
  }
}
