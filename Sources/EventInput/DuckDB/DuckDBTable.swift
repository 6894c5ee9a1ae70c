/// What DuckDB is asked to read.
struct DuckDBTable: Equatable {
  /// What stands behind FROM; `nil` for a database, whose tables have yet to be looked at.
  var source: String?
  /// The extensions of DuckDB that it takes, in the order in which they are loaded.
  var extensionNames: [String] = []
  /// The absolute path of a database. Only a path leads to what a writer has not yet merged into
  /// it.
  var database: [UInt8]?
  /// The folder of a table that consists of several files.
  var folder: String?

  /// A file whose beginning is recognised; `nil` if DuckDB doesn't know such files.
  init?(_ kind: ForeignFile, at path: InputPath) {
    switch kind {
    case .parquet: source = "read_parquet('/dev/stdin')"
    case .avro:
      source = "read_avro('/dev/stdin')"
      extensionNames = ["avro"]
    case .duckDB: database = path.absolute.bytes
    case .iceberg:
      guard let table = IcebergTable(metadata: path) else { return nil }
      source = table.source
      extensionNames = ["avro", "iceberg"]
      folder = table.folder.description + "/"
    default: return nil
    }
  }
}
