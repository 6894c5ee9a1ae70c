struct ExperimentsTable {
  init(_ analysis: Analysis) {}
  func table() -> CSVTable { CSVTable(Slice.columns) }
}
