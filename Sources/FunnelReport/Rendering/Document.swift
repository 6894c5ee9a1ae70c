internal import ReportText
public import FunnelMetrics

/// One file of a report, ready to be written.
public struct Document: Sendable, Hashable {
  /// The file's name, such as `steps.csv`.
  public let name: String
  /// The text as UTF-8, without a byte-order mark.
  public let bytes: [UInt8]

  /// A file of text.
  public init(name: String, text: String) { self.init(name: name, bytes: Array(text.utf8)) }

  /// - Parameter bytes: text as UTF-8, or the bytes of a table's file.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The whole text, in lines that end with LF.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Report {
  /// The names of the files, in the order in which README.txt has them.
  public static let documentNames = [
    "README.txt", "report.html", "report.md", "overview.csv", "changes.csv", "steps.csv",
    "next_events.csv", "transitions.csv", "skips.csv", "permissions.csv", "goals.csv",
    "retention.csv", "timing.csv", "experiments.csv", "quality.csv", "metrics.csv", "metrics.json",
  ]

  /// All files, in the order of their names' list.
  ///
  /// They depend on the report alone: no clock, no locale, no hash order.
  public func documents() -> [Document] {
    Report.documentNames.compactMap { document($0) }
  }

  /// One of the files; `nil` for a name that is not among `documentNames`. Each is made from the
  /// report alone, so they can be made at the same time.
  public func document(_ name: String) -> Document? {
    switch name {
    case "README.txt": Document(name: name, text: ReportGuide(report: self).text())
    case "report.html": Document(name: name, text: htmlText())
    case "report.md": Document(name: name, text: markdownText())
    case "metrics.json": Document(name: name, bytes: MetricsJSON(self).content().bytes)
    default: table(name).map { Document(name: name, bytes: $0.content.bytes) }
    }
  }

  func table(_ name: String) -> CSVTable? {
    switch name {
    case "overview.csv": OverviewTable(self).table()
    case "changes.csv": ChangesTable(earlier).table()
    case "steps.csv": StepsTable(analysis).table()
    case "next_events.csv": NextEventsTable(analysis).table()
    case "transitions.csv": TransitionsTable(analysis).table()
    case "skips.csv": SkipsTable(analysis).table()
    case "permissions.csv": PermissionsTable(analysis).table()
    case "goals.csv": GoalsTable(analysis).table()
    case "retention.csv": RetentionTable(analysis).table()
    case "timing.csv": TimingTable(analysis).table()
    case "experiments.csv": ExperimentsTable(analysis).table()
    case "quality.csv": QualityTable(self).table()
    case "metrics.csv": MetricsTable(analysis).table()
    default: nil
    }
  }
}
