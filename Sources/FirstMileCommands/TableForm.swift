import ArgumentParser
import EventInput
import FirstMileStore
import FunnelMetrics
import FunnelReport
import ReportText

/// `--tables`: in which form programs get the tables of a report.
enum TableForm: String, ExpressibleByArgument, CaseIterable {
  case sqlite, parquet, json

  /// The files that it has.
  var names: [String] {
    switch self {
    case .sqlite: ["tables.sqlite"]
    case .json: ["tables.json"]
    case .parquet: Report.tableNames.map { "\($0).parquet" }
    }
  }

  /// - Throws: an `InputProblem`, or SQLite's own error.
  func documents(_ report: Report, _ tables: [ReportTable]) throws -> [Document] {
    switch self {
    case .json: return [report.tablesDocument(tables)]
    case .sqlite:
      let database = TableDatabase(
        tables.map { table in
          TableDatabase.Table(
            name: table.name,
            columns: table.columns.map { ($0.name, TableForm.sqlite($0.kind)) }, rows: table.rows)
        })
      return [Document(name: "tables.sqlite", bytes: try database.bytes())]
    case .parquet:
      guard let writer = ParquetWriter() else { return [] }
      return try tables.map { table in
        Document(
          name: "\(table.name).parquet",
          bytes: try writer.bytes(
            table.csv, table.columns.map { ($0.name, TableForm.parquet($0.kind)) }))
      }
    }
  }

  private static func sqlite(_ kind: ReportTable.Kind) -> TableDatabase.Kind {
    switch kind {
    case .text: .text
    case .integer: .integer
    case .real: .real
    }
  }

  private static func parquet(_ kind: ReportTable.Kind) -> ParquetWriter.Kind {
    switch kind {
    case .text: .text
    case .integer: .integer
    case .real: .real
    }
  }
}
