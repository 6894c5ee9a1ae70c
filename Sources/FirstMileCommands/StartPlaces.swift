import ArgumentParser
import EventInput
import FlowDefinition
import Foundation
import FunnelMetrics
import FunnelReport

/// Where `start` writes: the flow file, the report's folder, and the project file if there is none.
struct StartPlaces {
  let flowFile: OutputFile
  let out: String
  /// `nil` where a project file is there already.
  private let project: OutputFile?

  /// - Parameter name: of the flow, as a file name.
  /// - Throws: `CommandError` where something stands there that nobody asked to replace.
  init(
    name: String, flowFile given: String?, out: String?, replaces: Bool, _ files: CommandFiles
  ) throws(CommandError) {
    let path = given ?? "\(name).yaml"
    try Self.tryOut(flowFile: path, replaces: replaces)
    let folder = ReportFolders.trimmed(out ?? "reports/\(name)")
    if !replaces && FileManager.default.fileExists(atPath: "\(folder)/report.html") {
      throw CommandError(
        "there is a report in '\(folder)' already; name another folder with --out, or replace it "
          + "and the flow file with --replace")
    }
    do {
      try ReportFolder(path: folder).check()
    } catch {
      throw error as? CommandError ?? CommandError("\(error)")
    }
    flowFile = try files.write(path, as: "--flow-file")
    try files.write(folder: folder, names: Report.documentNames, as: "--out")
    self.out = folder
    let isOther =
      FileManager.default.fileExists(atPath: ProjectFile.name)
      && !(replaces && Self.isOwnProject(of: path))
    project = isOther ? nil : try files.write(ProjectFile.name, as: "the project file")
  }

  /// Finds out before a dump is read whether the flow file can be written: under its name, or in
  /// the current folder where its name comes from the dump.
  ///
  /// - Throws: `CommandError` with what is in the way.
  static func tryOut(flowFile given: String?, replaces: Bool) throws(CommandError) {
    guard let path = given else {
      // No flow's file is called so: its name would begin with its flow's letters.
      return try CommandFiles().write("_firstmile.yaml", as: "the flow file").tryOut()
    }
    if !replaces && FileManager.default.fileExists(atPath: path) {
      throw CommandError(
        "'\(path)' is there already; name another file with --flow-file, or replace it and the "
          + "report with --replace")
    }
    let parent = FolderOfPath.of(path)
    if !parent.isEmpty && !ReportFolder.isFolder(parent) {
      throw CommandError(
        "there is no folder '\(parent)' for the flow file '\(path)'; make it first")
    }
    try CommandFiles().write(path, as: "--flow-file").tryOut()
  }

  /// Whether the project file is one that `start` wrote, as its first line says, for a flow file.
  private static func isOwnProject(of flowFile: String) -> Bool {
    guard let bytes = try? SmallFile.bytes(atPath: ProjectFile.name),
      bytes.starts(with: heading.utf8)
    else { return false }
    return (try? WorkingDirectory.project())??.flows == [flowFile]
  }

  private static let heading =
    "# Defaults for `firstmile` in this folder; options on the command line come first.\n"

  /// Writes the project file, if there is none.
  ///
  /// - Returns: its name, if it was written.
  func writeProject(
    inputs: [String], format: EventFormat.Name?, remote: RemoteOptions
  ) throws -> String? {
    // Names that are no UTF-8 can't stand in a file of text.
    guard let project, inputs.allSatisfy({ InputPath.isUTF8(argument: $0) }) else { return nil }
    var file = ProjectFile()
    file.flows = [flowFile.given]
    file.inputs = inputs
    file.out = out
    file.format = format?.rawValue
    file.endpointURL = remote.endpointUrl
    file.isUnsigned = remote.noSignRequest
    try project.replace(with: Self.heading + file.text)
    return ProjectFile.name
  }
}
