import Foundation
import FunnelMetrics

/// A `metrics.json` of the command line, or the folder of a report with one in it.
struct RecordedReportFile {
  let path: String

  /// - Throws: `CommandError` where the folder has none.
  init(given: String) throws {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: given, isDirectory: &isFolder),
      isFolder.boolValue
    else {
      path = given
      return
    }
    path = "\(ReportFolders.trimmed(given))/metrics.json"
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandError(
        "the folder '\(given)' has no metrics.json; wanted is a metrics.json, or the folder that "
          + "`firstmile report --out` wrote for one flow")
    }
  }

  /// - Parameter allowsBaseline: what `check --accept` writes will do as well.
  func read(_ files: CommandFiles, allowsBaseline: Bool = false) throws -> RecordedReport {
    try files.read(path, as: "the report")
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandError("'\(path)' can't be read")
    }
    do {
      let bytes = Array(data)
      return try allowsBaseline
        ? RecordedReport(ofReportOrBaseline: bytes) : RecordedReport(bytes: bytes)
    } catch {
      throw CommandError("'\(path)' \(error)")
    }
  }
}
