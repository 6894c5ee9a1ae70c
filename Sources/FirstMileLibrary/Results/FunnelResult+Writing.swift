import EventInput
import Foundation
import FunnelMetrics
import FunnelReport

/// A kind of files that a result can be written as.
public enum ReportFormat: Sendable, Hashable, CaseIterable {
  /// `report.html`: one page, with its charts, that needs no network.
  case html
  /// `report.md`
  case markdown
  /// A table for each subject and `metrics.csv`, which has every number, with a guide.
  case csv
  /// `metrics.json`
  case json

  fileprivate func contains(_ name: String) -> Bool {
    switch self {
    case .html: name == "report.html"
    case .markdown: name == "report.md"
    case .csv: name.hasSuffix(".csv") || name == "README.txt"
    case .json: name == "metrics.json"
    }
  }
}

extension FunnelResult {
  /// Writes files into a folder, byte for byte those of `firstmile report --out`.
  ///
  /// All are written beside their places first and then put there, so that a run that fails leaves
  /// earlier ones whole.
  ///
  /// - Parameters:
  ///   - formats: which files, in any order.
  ///   - folder: is made, with its parents, if it is not there.
  /// - Throws: ``FunnelAnalysisError/notWritten(folder:reason:)``
  public func write(
    _ formats: [ReportFormat], to folder: String
  ) throws(FunnelAnalysisError) {
    var written: [Replacement] = []
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      for name in Report.documentNames where formats.contains(where: { $0.contains(name) }) {
        guard let document = report.document(name) else { continue }
        let file = try Replacement(of: "\(folder)/\(name)")
        written.append(file)
        try file.write(document.bytes)
        try file.close()
      }
      while let file = written.last {
        try file.putInPlace()
        written.removeLast()
      }
    } catch {
      for file in written { file.discard() }
      throw .notWritten(
        folder: folder, reason: (error as? InputProblem)?.message ?? error.localizedDescription)
    }
  }

  /// The text of a file, such as `report.md`, without writing it; `nil` for a name that is none of
  /// a report's.
  public func text(of name: String) -> String? { report.document(name)?.text }
}
