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
  private var index: ReportIndex

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
    index = ReportIndex(programVersion: FirstMile.version)
    try files.write(folder: self.folder, names: ReportIndex.documentNames, as: "--out")
    let known = "\(self.folder)/index.json"
    if let data = FileManager.default.contents(atPath: known) {
      do {
        index = try ReportIndex(json: data, programVersion: FirstMile.version)
      } catch {
        throw CommandError("'\(known)' is of another program; choose another --out")
      }
    } else if FileManager.default.fileExists(atPath: "\(self.folder)/index.html") {
      throw CommandError(
        "'\(self.folder)/index.html' is of another program; choose another --out")
    }
  }

  mutating func add(_ report: Report) {
    let name = report.analysis.flow.folderName
    let own = place.map { isOfSeveral ? "\($0.report)/\(name)" : $0.report } ?? name
    index.add(IndexEntry(report, folder: own, day: place?.day))
  }

  /// Writes the index, and for a series the page that leads to its last report.
  mutating func write() throws(CommandError) {
    let folder = folder
    index.keep { FileManager.default.fileExists(atPath: "\(folder)/\($0.folder)/report.html") }
    for document in index.documents() {
      try files.write("\(folder)/\(document.name)", as: "--out").replace(with: document.text)
    }
    guard let place, place.day != nil, let flow = place.report.split(separator: "/").first else {
      return
    }
    let latest = index.entries.last { $0.folder.hasPrefix("\(flow)/") }
    guard let day = latest?.day else { return }
    let page = ReportIndex.forwarding(to: "\(day)/report.html")
    try files.write("\(folder)/\(flow)/latest.html", as: "--out").replace(with: page)
  }
}
