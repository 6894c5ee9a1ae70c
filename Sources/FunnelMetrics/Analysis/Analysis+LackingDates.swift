package import FlowDefinition
internal import FunnelEngine

extension Analysis {
  /// How many people don't count for a retention measure because the data miss dates of its window
  /// (definitions 11.3).
  package func lackingDates(_ measure: RetentionMeasure) -> Int {
    let index = flow.retention.firstIndex { $0.id == measure.id }
    return index.map { tally.quality.lackingDates[$0] } ?? 0
  }
}
