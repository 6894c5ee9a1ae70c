import ArgumentParser
import EventInput
import FirstMileStore
import FunnelMetrics
import FunnelReport

/// What a report has beside the files that every report has: pictures, and its tables in other
/// forms.
struct ReportBesides {
  let hasCards: Bool
  let forms: [TableForm]

  init(cards: Bool, forms: [TableForm]) {
    hasCards = cards
    self.forms = TableForm.allCases.filter(forms.contains)
  }

  /// All names that its files may have.
  var names: [String] { (hasCards ? Report.cardNames : []) + forms.flatMap(\.names) }

  /// Whether it can be written, asked before hours of reading.
  func check() throws(CommandError) {
    guard forms.contains(.parquet), ParquetWriter() == nil else { return }
    throw CommandError(
      "Parquet is written by DuckDB's command line, and there is no duckdb on the path; install it "
        + "(pip install duckdb-cli), or turn the CSV files of a report into it where it is "
        + "installed: duckdb -c \"COPY (FROM read_csv('metrics.csv')) TO 'metrics.parquet' "
        + "(FORMAT parquet)\"")
  }

  /// Its files.
  ///
  /// - Parameter metrics: `metrics.csv` as it was made.
  func documents(_ report: Report, metrics: Document) throws(CommandError) -> [Document] {
    var documents = hasCards ? report.cards(metrics: metrics) : []
    if forms.isEmpty { return documents }
    let tables = report.tables()
    do {
      for form in forms { documents += try form.documents(report, tables) }
    } catch {
      let reason = (error as? InputProblem)?.message ?? "\(error)"
      throw CommandError("the tables can't be written: \(reason)")
    }
    return documents
  }
}
