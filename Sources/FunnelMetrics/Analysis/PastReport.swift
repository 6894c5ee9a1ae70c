public import FlowDefinition

/// What an earlier report said: its headline numbers, by the same definitions and options.
public struct PastReport: Sendable, Hashable {
  /// Up to when its data was complete.
  public let horizonMilliseconds: Int64
  private let rows: [Key: MetricRow]

  private struct Key: Hashable {
    var slice: Slice
    var metric: MetricName
    var step: String
  }

  /// - Parameter rows: of slices that are not cut.
  public init(horizonMilliseconds: Int64, rows: [MetricRow]) {
    self.horizonMilliseconds = horizonMilliseconds
    self.rows = Dictionary(
      rows.map { (Key(slice: $0.slice, metric: $0.metric, step: $0.step), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The row of a metric in a slice; `nil` where the report kept none.
  public func row(
    _ metric: MetricName, step: String = "all", in slice: Slice = .all
  ) -> MetricRow? {
    rows[Key(slice: slice, metric: metric, step: step)]
  }
}
