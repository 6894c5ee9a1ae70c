public import ReportText
public import FunnelMetrics

extension Report {
  /// How the tables are called, in the order of the report's files.
  public static let tableNames = documentNames.filter { $0.hasSuffix(".csv") }
    .map { String($0.dropLast(4)) }

  /// The tables of the report.
  public func tables() -> [ReportTable] {
    Report.tableNames.compactMap { name in
      table("\(name).csv").map { ReportTable(name, $0) }
    }
  }

  /// `tables.json`: the tables, an object a row, without the cells that are empty.
  public func tablesDocument(_ tables: [ReportTable]) -> Document {
    Document(name: "tables.json", bytes: TablesJSON(analysis.flow, tables).content().bytes)
  }
}
