internal import ReportText

extension RateText {
  /// `84.1 % (53/63), 95 % CI 73.2–91.1 %`
  package static func full(_ row: MetricRow) -> String {
    let counts =
      "(\(NumberText.grouped(row.numerator ?? 0))/\(NumberText.grouped(row.denominator ?? 0)))"
    guard let value = row.value else { return "no rate \(counts)" }
    guard let low = row.low, let high = row.high else { return "\(percent(value)) \(counts)" }
    return "\(percent(value)) \(counts), 95 % CI \(interval(low, high))"
  }
}
