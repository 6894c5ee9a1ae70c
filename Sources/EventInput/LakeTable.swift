/// A folder of files that are a table only by a log which says which of them count: others hold
/// rows that were deleted or replaced.
enum LakeTable {
  /// Folders in a table's folder that hold its log: Delta Lake's and Hudi's.
  static let logs = ["_delta_log", ".hoodie"]

  /// What is wrong with reading such a table's objects in a bucket.
  static let remoteAdvice =
    "is a table of Delta Lake or Hudi, whose files also have rows that were deleted or replaced: "
    + "write the rows that count to other objects and read those"

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

  /// What is wrong with reading some files of a table by themselves, be it a partition or what a
  /// pattern matches; `nil` for folders that are no such table.
  ///
  /// - Parameter isRead: whether a whole table of Iceberg can be read.
  static func adviceOnParts(_ folder: InputPath, icebergIsRead isRead: Bool) -> String? {
    if let advice = advice(folder) { return advice }
    guard isRead, !IcebergTable.newest(in: folder).isEmpty else { return nil }
    return "is an Iceberg table, whose files also have rows that were deleted or replaced: "
      + "name the table's folder itself"
  }
}
