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
  /// The text of `metrics.csv`: every number, and nothing of how or when it was made.
  public var metricsText: String { MetricsTable(analysis).table().text }

  /// The files of SPEC 12, in the order of that table.
  ///
  /// They depend on the report alone: no clock, no locale, no hash order.
  public func documents() -> [Document] {
    let tables: [(String, CSVTable)] = [
      ("steps.csv", StepsTable(analysis).table()),
      ("skips.csv", SkipsTable(analysis).table()),
      ("permissions.csv", PermissionsTable(analysis).table()),
      ("goals.csv", GoalsTable(analysis).table()),
      ("retention.csv", RetentionTable(analysis).table()),
      ("timing.csv", TimingTable(analysis).table()),
      ("experiments.csv", ExperimentsTable(analysis).table()),
      ("quality.csv", QualityTable(self).table()),
      ("metrics.csv", MetricsTable(analysis).table()),
    ]
    return [
      Document(name: "report.html", text: htmlText()),
      Document(name: "report.md", text: markdownText()),
    ]
      + tables.map { Document(name: $0.0, text: $0.1.text) }
      + [Document(name: "metrics.json", text: MetricsJSON(self).text())]
  }
}
