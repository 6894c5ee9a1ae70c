/// A table of a report with the kinds of its columns, for other forms than CSV.
public struct ReportTable: Sendable {
  public enum Kind: Sendable, Hashable {
    case text, integer, real
  }

  public struct Column: Sendable, Hashable {
    public let name: String
    public let kind: Kind
  }

  /// As the CSV file is called without its ending: `steps`.
  public let name: String
  public let columns: [Column]
  /// The cells as they stand in the CSV file; `nil` where there is nothing.
  public let rows: [[String?]]
  /// The CSV file.
  public let csv: [UInt8]

  init(_ name: String, _ table: CSVTable) {
    self.name = name
    csv = table.content.bytes
    var lines = CSVReader(csv).lines
    let names = lines.isEmpty ? [] : lines.removeFirst()
    // Databases take names that differ in case alone for one.
    var seen: Set<String> = []
    columns = zip(names, table.kinds).map { name, kinds in
      var own = name
      while !seen.insert(own.lowercased()).inserted { own += "_2" }
      return Column(name: own, kind: kinds.kind)
    }
    rows = lines.map { $0.map { $0.isEmpty ? nil : $0 } }
  }
}

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
