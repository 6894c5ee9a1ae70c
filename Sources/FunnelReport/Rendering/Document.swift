/// One file of a report, ready to be written.
public struct Document: Sendable, Hashable {
  /// The file's name, such as `steps.csv`.
  public let name: String
  /// The whole text, in lines that end with LF.
  public let text: String

  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }

  /// The text as UTF-8, without a byte-order mark.
  public var bytes: [UInt8] { Array(text.utf8) }
}

extension Report {
  /// The names of the files of SPEC 12, in the order of that table.
  public static let documentNames = [
    "report.html", "report.md", "steps.csv", "skips.csv", "permissions.csv", "goals.csv",
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
    let text: String
    switch name {
    case "report.html": text = htmlText()
    case "report.md": text = markdownText()
    case "steps.csv": text = StepsTable(analysis).table().text
    case "skips.csv": text = SkipsTable(analysis).table().text
    case "permissions.csv": text = PermissionsTable(analysis).table().text
    case "goals.csv": text = GoalsTable(analysis).table().text
    case "retention.csv": text = RetentionTable(analysis).table().text
    case "timing.csv": text = TimingTable(analysis).table().text
    case "experiments.csv": text = ExperimentsTable(analysis).table().text
    case "quality.csv": text = QualityTable(self).table().text
    case "metrics.csv": text = MetricsTable(analysis).table().text
    case "metrics.json": text = MetricsJSON(self).text()
    default: return nil
    }
    return Document(name: name, text: text)
  }
}
