import EventInput
import FlowDefinition
import Foundation
import FunnelMetrics
import FunnelReport

/// The index over the reports of a folder, written when all of them are there.
struct IndexPages {
  /// Where one report stands in the index of a folder that holds a series of them.
  struct Place {
    /// The folder of the index.
    var folder: String
    /// The report's folder, seen from there.
    var report: String
    /// Of a report in a series.
    var day: String?

    init(folder: String, report: String, day: String) {
      (self.folder, self.report, self.day) = (folder, report, day)
    }

    /// The place that --index asks for, if it does.
    ///
    /// - Throws: `CommandError` where the reports don't lie in the folder.
    init?(_ index: String?, out: String?) throws(CommandError) {
      guard let index else { return nil }
      folder = ReportFolders.trimmed(index)
      let out = out.map(ReportFolders.trimmed) ?? ""
      guard out.hasPrefix("\(folder)/"), out.utf8.count > folder.utf8.count + 1 else {
        throw CommandError(
          "--index '\(index)' must be a folder that --out lies in, as with "
            + "--out reports/aiq --index reports")
      }
      report = String(out.dropFirst(folder.count + 1))
    }
  }

  private let folder: String
  private let files: CommandFiles
  private let place: Place?
  private let isOfSeveral: Bool
  /// Of this run.
  private var entries: [IndexEntry] = []

  /// The index of a run; `nil` where there is one report alone.
  ///
  /// - Parameters:
  ///   - out: the folder of the run's reports.
  ///   - place: of a report in a series.
  init?(_ out: String?, _ flows: [Flow], _ place: Place?, _ files: CommandFiles) throws {
    guard let folder = place?.folder ?? (flows.count > 1 ? out : nil) else { return nil }
    isOfSeveral = flows.count > 1
    self.folder = ReportFolders.trimmed(folder)
    self.files = files
    self.place = place
    try files.write(folder: self.folder, names: ReportIndex.documentNames, as: "--out")
    // Found now and not after hours of reading, when the reports are there and can't be listed.
    for name in ReportIndex.documentNames {
      _ = try files.write("\(self.folder)/\(name)", as: "--out")
    }
    _ = try known()
  }

  mutating func add(_ report: Report) {
    let name = report.analysis.flow.folderName
    let own = place.map { isOfSeveral ? "\($0.report)/\(name)" : $0.report } ?? name
    entries.append(IndexEntry(report, folder: own, day: place?.day))
  }

  /// The index as it stands in the folder.
  private func known() throws(CommandError) -> ReportIndex {
    let known = "\(folder)/index.json"
    guard let data = FileManager.default.contents(atPath: known) else {
      if FileManager.default.fileExists(atPath: "\(folder)/index.html") {
        throw CommandError("'\(folder)/index.html' is of another program; choose another --out")
      }
      return ReportIndex(programVersion: FirstMile.version)
    }
    do {
      return try ReportIndex(json: data, programVersion: FirstMile.version)
    } catch {
      throw CommandError("'\(known)' is of another program; choose another --out")
    }
  }

  /// Lists the run's reports beside those that are listed by now, and for a series writes the page
  /// that leads to its last report. Other processes list theirs before or after.
  func write() throws {
    let turn = try FolderTurn(folder, for: "the index") {
      try ReportFolder.make(folder, for: "the index")
    }
    if let reason = turn.reason {
      Console.message(
        "'\(folder)' can't be locked (\(reason)): reports that other processes list in its index "
          + "at the same time may be missing there")
    }
    try withExtendedLifetime(turn) {
      var index = try known()
      for entry in entries { index.add(entry) }
      index.keep { FileManager.default.fileExists(atPath: "\(folder)/\($0.folder)/report.html") }
      try put(index)
    }
  }

  /// Writes first what the next run adds to, and last what leads to the rest: whatever ends the run
  /// in between, no report is lost, and what is linked is listed.
  private func put(_ index: ReportIndex) throws(CommandError) {
    for document in index.documents().reversed() {
      try files.write("\(folder)/\(document.name)", as: "--out").replace(with: document.text)
    }
    guard let place, place.day != nil, let flow = place.report.split(separator: "/").first else {
      return
    }
    let latest = index.entries.last { $0.folder.hasPrefix("\(flow)/") && $0.day != nil }
    guard let day = latest?.day else { return }
    let page = ReportIndex.forwarding(to: "\(day)/report.html")
    try files.write("\(folder)/\(flow)/latest.html", as: "--out").replace(with: page)
  }
}
