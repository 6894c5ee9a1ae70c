/// A folder of files that are a table only by a log which says which of them count: others hold
/// rows that were deleted or replaced.
enum LakeTable {
  /// What is wrong with reading a folder's files, and what can be done; `nil` for other folders.
  static func advice(_ folder: InputPath) -> String? {
    func has(_ name: String) -> Bool {
      FileIdentity(at: folder.appending(Array(name.utf8)).description)?.isFolder == true
    }
    let beginning = "whose files also have rows that were deleted or replaced: "
    if has("_delta_log") {
      let table = DuckDBText.literal(folder.absolute.description)
      let query = "INSTALL delta; LOAD delta; COPY (FROM delta_scan(\(table))) TO 'events.parquet'"
      return "is a Delta Lake table, \(beginning)"
        + "write the rows that count to a file and read that: duckdb -c "
        + DuckDBText.shellWord(query)
    }
    if has(".hoodie") {
      return "is a Hudi table, \(beginning)write the rows that count to another folder, as with "
        + "Spark's spark.read.format(\"hudi\").load(…).write.parquet(…), and read that"
    }
    return nil
  }
}
