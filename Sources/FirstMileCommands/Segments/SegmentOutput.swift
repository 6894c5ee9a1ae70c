import EventInput
import Foundation
import Timelines

/// Where a command puts segments: a file of a folder, or standard output.
struct SegmentOutput {
  let out: String
  let files: CommandFiles
  /// Whether they go to standard output.
  var isStream: Bool { out == "-" }

  /// Makes the folder.
  ///
  /// - Throws: `CommandError` if that can't be done.
  func prepare() throws {
    if isStream { return }
    if out.isEmpty { throw CommandError("--out is empty; it names a folder, or - for a stream") }
    if FileManager.default.fileExists(atPath: out) && !ReportFolder.isFolder(out) {
      throw CommandError("'\(out)' is a file; --out needs a folder")
    }
    try ReportFolder.make(out, for: "the segments")
  }

  /// Writes segments in the place of those of the same name, wholly or not at all.
  func write(_ segments: [PortableSegment], name: String) throws {
    guard !isStream else {
      for segment in segments {
        do { try FileHandle.standardOutput.write(contentsOf: Data(segment.bytes)) } catch {
          throw CommandError(
            "standard output could not be written to: it was closed before all segments were "
              + "there, or there is no space left")
        }
      }
      return
    }
    let folder = ReportFolders.trimmed(out)
    let file = try files.write("\(folder)/\(name)\(SegmentName.ending)", as: "--out")
    try file.replace { file throws(any Error) in
      for segment in segments { try file.write(segment.bytes) }
    }
  }
}
