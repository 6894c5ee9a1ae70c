import EventInput
import Foundation
import FunnelReport
import Synchronization

/// The documents of one report beside their places, until all are written; then they
/// are put in place together, none of them over a file that the command reads. Whatever ends the
/// run before leaves the old report and nothing else.
final class ReportsAside: Sendable {
  private let path: String
  private let files: CommandFiles
  private let state: Mutex<State>

  private struct State {
    /// What is aside, by name.
    var documents: [(name: String, file: Replacement)] = []
    /// Names of which none may be left of an earlier report.
    var replaced: [String] = []
    var isGivenUp = false
    var isInPlace = false
    /// Another run into the folder would have the same names aside.
    var turn: FolderTurn?
  }

  /// Makes the folder, if it is not there, and waits for others that write into it.
  ///
  /// - Throws: `CommandError` if it can't be made or written to.
  init(folder path: String, of files: CommandFiles) throws {
    self.path = path
    self.files = files
    try ReportFolder(path: path).prepare()
    let turn = try FolderTurn(path, for: "reports") { try ReportFolder(path: path).prepare() }
    state = Mutex(State(turn: turn))
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
      try file.write(document.bytes)
      try file.close()
    } catch {
      throw CommandError("reports can't be written to '\(path)': \(ReportsAside.reason(error))")
    }
  }

  private func make(_ name: String, _ state: inout State) throws -> Replacement? {
    if state.isGivenUp { return nil }
    let file = try Replacement(of: "\(path)/\(name)")
    state.documents.append((name, file))
    return file
  }

  /// Has files of these names that are not written again go with the report that they were of.
  func replaceAll(_ names: [String]) { state.withLock { $0.replaced += names } }

  /// Puts in place what was written; an interrupt waits until all of it is.
  ///
  /// - Throws: `CommandError` if one can't be replaced: nothing is then, where that can be known.
  func putInPlace() throws(CommandError) {
    try state.withLock { state throws(CommandError) in
      for (name, _) in state.documents {
        if ReportFolder.isFolder("\(path)/\(name)") {
          throw CommandError("'\(path)/\(name)' can't be replaced: it is a folder")
        }
        try files.confirm("\(path)/\(name)", as: "--out")
      }
      let written = Set(state.documents.map(\.name))
      // Taken from the end. Where the page is, the rest of the report is as well.
      if let page = state.documents.firstIndex(where: { $0.name == "report.html" }) {
        state.documents.swapAt(page, 0)
      }
      while !state.isGivenUp, let (name, file) = state.documents.last {
        do {
          try file.putInPlace()
        } catch {
          throw CommandError("'\(path)/\(name)' \(ReportsAside.reason(error))")
        }
        state.documents.removeLast()
      }
      for name in state.replaced where !state.isGivenUp && !written.contains(name) {
        unsafe unlink("\(path)/\(name)")
      }
      state.isInPlace = !state.isGivenUp
      state.turn = nil
    }
  }

  /// Takes away what is aside, and the folder where it was made for that.
  func remove() {
    state.withLock { state in
      state.isGivenUp = true
      for (_, file) in state.documents { file.discard() }
      state.documents = []
      MadeFolders.removeIfEmpty(path)
      state.turn = nil
    }
  }

  private static func reason(_ error: any Error) -> String {
    (error as? InputProblem)?.message ?? "\(error)"
  }
}
