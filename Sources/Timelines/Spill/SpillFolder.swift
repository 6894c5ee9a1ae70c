internal import Foundation
internal import Synchronization

/// A private folder (mode 0700) for facts beyond the memory limit; made when first needed.
///
/// It is gone with the last reference, or at once by `remove()`, which may be called from any
/// thread at any time: nothing is made in the folder afterwards.
public final class SpillFolder: Sendable {
  private struct State {
    var path: String?
    var files: [String] = []
    /// How many files each name was asked for: timelines may be made more than once in a run.
    var timesMade: [String: Int] = [:]
    var isRemoved = false
  }

  private let parent: String
  private let state = Mutex(State())

  /// - Parameter parent: where the folder is made; TMPDIR, else the system's choice, if not given.
  public init(parent: String? = nil) {
    let chosen = parent ?? FileManager.default.temporaryDirectory.path
    self.parent = chosen.count > 1 && chosen.hasSuffix("/") ? String(chosen.dropLast()) : chosen
  }

  deinit { remove() }

  /// The folder's path; `nil` as long as nothing was spilled, and after removal.
  public var path: String? { state.withLock { $0.isRemoved ? nil : $0.path } }

  /// Removes the folder and the files in it. Files that are still open stay readable.
  public func remove() {
    state.withLock { state in
      for file in state.files { SegmentFile.unlink(file) }
      if let path = state.path { SegmentFile.removeFolder(path) }
      state.files = []
      state.isRemoved = true
    }
  }

  /// Makes a file, with a number before its name from the second of the name on.
  func makeFile(_ name: String) throws(SpillError) -> SegmentFile {
    // The folder and the file are made while the lock is held, so that `remove` sees them.
    let made = state.withLock { state -> Result<SegmentFile, SpillError> in
      do throws(SpillError) {
        if state.isRemoved { throw .stopped(state.path ?? parent) }
        let folder: String
        if let made = state.path {
          folder = made
        } else {
          folder = try SegmentFile.makeFolder(in: parent)
          state.path = folder
        }
        let times = state.timesMade[name, default: 0] + 1
        state.timesMade[name] = times
        let path = times == 1 ? "\(folder)/\(name)" : "\(folder)/\(times)-\(name)"
        let file = try SegmentFile(creating: path)
        state.files.append(path)
        return .success(file)
      } catch {
        return .failure(error)
      }
    }
    return try made.get()
  }

  /// Removes one file before the rest.
  func removeFile(_ file: SegmentFile) {
    state.withLock { state in
      guard let index = state.files.firstIndex(of: file.path) else { return }
      state.files.remove(at: index)
      SegmentFile.unlink(file.path)
    }
  }
}
