struct TimingTable {
  init(_ analysis: Analysis) {}
  func table() -> CSVTable { CSVTable(Slice.columns) }
}
