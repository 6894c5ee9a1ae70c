struct QualityTable {
  init(_ report: Report) {}
  func table() -> CSVTable { CSVTable(["check", "item", "count", "of", "share", "note"]) }
}
