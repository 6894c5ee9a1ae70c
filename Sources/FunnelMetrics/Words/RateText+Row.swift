internal import ReportText

extension RateText {
  /// `84.1 % (53/63), 95 % CI 73.2–91.1 %`
  package static func full(_ row: MetricRow) -> String {
    guard let value = row.value else { return "no rate \(row.countsText)" }
    let rate = "\(percent(value)) \(row.countsText)"
    guard let low = row.low, let high = row.high else { return rate }
    return "\(rate), 95 % CI \(interval(low, high))"
  }
}
