struct SkipsTable {
  init(_ analysis: Analysis) {}
  func table() -> CSVTable { CSVTable(Slice.columns) }
}
