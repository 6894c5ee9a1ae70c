struct RetentionTable {
  init(_ analysis: Analysis) {}
  func table() -> CSVTable { CSVTable(Slice.columns) }
}
