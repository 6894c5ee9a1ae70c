import Foundation
import FunnelReport
import Synchronization

/// The documents of one report beside their places, `.NAME.part`, until all are written; then they
/// are put in place together. Whatever ends the run before leaves the old report and nothing else.
final class ReportsAside: Sendable {
  private let path: String
  /// Whether the folder was made for them; then it goes with them.
  private let isNew: Bool
  private let state = Mutex(State())

  private struct State {
    /// Names that have a file aside.
    var names: [String] = []
    var isGivenUp = false
    var isInPlace = false
  }

  /// Makes the folder, if it is not there.
  ///
  /// - Throws: `CommandError` if it can't be made or written to.
  init(folder path: String) throws {
    self.path = path
    isNew = !FileManager.default.fileExists(atPath: path)
    try ReportFolder(path: path).prepare()
  }

  /// Whether the new report stands in the folder.
  var isInPlace: Bool { state.withLock { $0.isInPlace } }

  /// Writes a document aside; several threads may at a time. After `remove` nothing is written.
  ///
  /// - Throws: `CommandError` if it can't be written.
  func write(_ document: Document) throws(CommandError) {
    do {
      // Made while nobody can give up, written while somebody can: what `remove` did not see is
      // never made, and what it saw is written into a file without a name.
      guard let file = try state.withLock({ try make(document.name, &$0) }) else { return }
      try file.write(contentsOf: document.bytes)
      try file.close()
    } catch {
      throw CommandError("reports can't be written to '\(path)': \(error.localizedDescription)")
    }
  }

  private func make(_ name: String, _ state: inout State) throws -> FileHandle? {
    if state.isGivenUp { return nil }
    // Left by a run that was killed, perhaps as something else than a file.
    unlink(aside(name))
    try Data().write(to: URL(fileURLWithPath: aside(name)))
    state.names.append(name)
    return try FileHandle(forWritingTo: URL(fileURLWithPath: aside(name)))
  }

  /// Puts in place what was written; an interrupt waits until all of it is.
  ///
  /// - Throws: `CommandError` if one can't be replaced: nothing is then, where that can be known.
  func putInPlace() throws(CommandError) {
    try state.withLock { state throws(CommandError) in
      for name in state.names where ReportFolder.isFolder("\(path)/\(name)") {
        throw CommandError("'\(path)/\(name)' can't be replaced: it is a folder")
      }
      while !state.isGivenUp, let name = state.names.last {
        let place = "\(path)/\(name)"
        if rename(aside(name), place) != 0 {
          throw CommandError("'\(place)' can't be replaced: \(String(cString: strerror(errno)))")
        }
        state.names.removeLast()
      }
      state.isInPlace = !state.isGivenUp
    }
  }

  /// Takes away what is aside.
  func remove() {
    state.withLock { state in
      state.isGivenUp = true
      for name in state.names { unlink(aside(name)) }
      state.names = []
      // Only if it is empty.
      if isNew { rmdir(path) }
    }
  }

  private func aside(_ name: String) -> String { "\(path)/.\(name).part" }
}
