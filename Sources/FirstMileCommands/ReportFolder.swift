import EventInput
import FlowDefinition
import Foundation

/// The folder that reports are shared from. They are written aside first (`ReportsAside`), so that
/// a run that is ended leaves the old report whole.
struct ReportFolder {
  let path: String

  /// Whether the reports can be put here, asked before hours of reading.
  ///
  /// - Throws: `CommandError` with what is in the way.
  func check() throws {
    if path.isEmpty { throw CommandError("--out is empty; it names the folder of the reports") }
    var place = path
    while !FileManager.default.fileExists(atPath: place) {
      let parent = FolderOfPath.of(place)
      // Not there and without a parent: it will be made in the current folder.
      if parent.isEmpty || parent == place { place = "." } else { place = parent }
    }
    if !ReportFolder.isFolder(place) {
      throw CommandError(
        place == path
          ? "'\(path)' is a file; --out needs a folder"
          : "'\(path)' can't be made: '\(place)' is a file; --out needs a folder")
    }
    if unsafe access(place, W_OK) != 0 {
      throw CommandError(
        "the reports can't be put into '\(path)': "
          + "'\(place)' can't be written to: \(systemMessage(errno))")
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Makes a folder with its parents; the empty path is the current folder.
  ///
  /// - Throws: `CommandError` that names what the folder is for.
  static func make(_ path: String, for purpose: String) throws {
    if path.isEmpty || isFolder(path) { return }
    do {
      try MadeFolders.make(path)
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError(
        "the folder '\(path)' for \(purpose) can't be made: \(SystemReason.of(error))")
    }
  }

  /// Makes the folder.
  ///
  /// - Throws: `CommandError` if the folder can't be made or written to.
  func prepare() throws {
    try check()
    try ReportFolder.make(path, for: "the reports")
  }
}
