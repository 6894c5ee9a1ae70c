import Foundation
import FunnelReport

/// The folder that reports are shared from: each file is written aside and renamed, so that a
/// killed run leaves the old report whole.
struct ReportFolder {
  let path: String

  /// - Throws: `CommandError` if the folder can't be made or written to.
  func write(_ documents: [Document]) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
      throw CommandError("'\(path)' is a file; --out needs a folder")
    }
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
      // All aside first, so that the moment in which old and new stand together is short.
      for document in documents {
        try Data(document.text.utf8).write(to: URL(fileURLWithPath: aside(document)))
      }
      for document in documents {
        let place = "\(path)/\(document.name)"
        if rename(aside(document), place) != 0 {
          throw CommandError("'\(place)' can't be replaced: \(String(cString: strerror(errno)))")
        }
      }
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError("reports can't be written to '\(path)': \(error.localizedDescription)")
    }
  }

  private func aside(_ document: Document) -> String { "\(path)/.\(document.name).part" }
}
