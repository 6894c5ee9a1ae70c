/// A row of the tidy table and its place among the rows of `metrics.json`.
public struct Datum: Sendable, Hashable {
  /// `nil` for a row that the file leaves out.
  public let index: Int?
  /// The row itself.
  public let row: MetricRow

  /// Joins a row with its place.
  public init(index: Int?, row: MetricRow) {
    self.index = index
    self.row = row
  }
}
