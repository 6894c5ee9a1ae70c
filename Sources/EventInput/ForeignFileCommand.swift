/// Commands of a shell that make of a file something that is read.
enum ForeignFileCommand {
  /// The file as a word of the command line. Standard input has no name to give.
  static func word(_ source: InputSource) -> String {
    DuckDBText.shellWord(path(source), isPlain: true)
  }

  /// Its rows as lines of JSON.
  static func duckDB(_ kind: ForeignFile, _ source: InputSource) -> String {
    let literal = DuckDBText.literal(path(source))
    let (database, rows) =
      switch kind {
      case .duckDB: ("-readonly \(word(source)) ", "FROM events")
      case .iceberg: ("", "FROM \(iceberg(source) ?? literal)")
      case .avro: ("", "FROM read_avro(\(literal))")
      default: ("", "FROM read_parquet(\(literal))")
      }
    let copy = "COPY (\(rows)) TO '/dev/stdout' (FORMAT json)"
    return "duckdb \(database)-c \(DuckDBText.shellWord(copy)) | firstmile report - --flow FLOW"
  }

  private static func iceberg(_ source: InputSource) -> String? {
    guard case .file(let path) = source.kind else { return nil }
    return IcebergTable(metadata: path)?.source
  }

  /// It as a Parquet file.
  static func parquet(_ kind: ForeignFile, _ source: InputSource) -> String {
    let table =
      kind == .orc
      ? "pyarrow.orc.read_table(sys.argv[1])" : "pyarrow.feather.read_table(sys.argv[1])"
    let module = kind == .orc ? "orc" : "feather"
    let program =
      "import sys, pyarrow.\(module), pyarrow.parquet; "
      + "pyarrow.parquet.write_table(\(table), sys.argv[2])"
    return "python3 -c \(DuckDBText.shellWord(program)) \(word(source)) events.parquet"
  }

  private static func path(_ source: InputSource) -> String {
    guard case .file = source.kind else { return "FILE" }
    return source.name
  }
}
