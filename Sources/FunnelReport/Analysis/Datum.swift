/// A row of the tidy table and its place in it, which is its place in `metrics.json` too.
public struct Datum: Sendable, Hashable {
  public let index: Int
  public let row: MetricRow

  public init(index: Int, row: MetricRow) {
    self.index = index
    self.row = row
  }
}
