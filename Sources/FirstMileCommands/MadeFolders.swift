import EventInput
import FlowDefinition
import Foundation
import Synchronization

/// The folders that this run has made for its outputs, so that none of them is left empty when it
/// fails or a signal ends it.
enum MadeFolders {
  private struct State {
    /// Outer ones before those inside of them.
    var paths: [String] = []
    var isEnding = false
  }

  private static let state = Mutex(State())

  /// Makes a folder with its parents.
  ///
  /// - Throws: `CommandError` once a signal ends the run; the system's error if it can't be made.
  static func make(_ path: String) throws {
    try state.withLock { state in
      if state.isEnding { throw CommandError("interrupted") }
      var missing: [String] = []
      var place = path
      while !place.isEmpty, !FileManager.default.fileExists(atPath: place) {
        missing.append(place)
        place = FolderOfPath.of(place)
      }
      // Before it is there: nothing that comes in between makes one that isn't known here.
      state.paths += missing.reversed()
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
  }

  /// Removes a folder and its parents, as far as this run has made them and they are empty.
  static func removeIfEmpty(_ path: String) {
    state.withLock { state in
      var place = path
      while state.paths.contains(place), unsafe rmdir(place) == 0 {
        state.paths.removeAll { $0 == place }
        place = FolderOfPath.of(place)
      }
    }
  }

  /// The run fails, or a signal ends it: removes all that are empty. From here on none is made.
  static func end() {
    state.withLock { state in
      state.isEnding = true
      for path in state.paths.reversed() { unsafe rmdir(path) }
    }
  }
}
