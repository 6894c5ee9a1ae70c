package import FlowDefinition
internal import FunnelEngine
internal import ReportText

/// A rate's counts on each day of a baseline, on one line of its file: a change of the days is a
/// change of one line for each rate.
package struct DailyRates: Sendable, Decodable {
  package var version: String?
  package var experiment: String?
  package var variant: String?
  package var metric: MetricName
  package var step: String?
  /// The first day, `2026-03-01`.
  package var from: String
  /// For each day from the first on, people who count above and below the line: `240/400`; `-`
  /// where there is no number.
  package var days: String

  /// The lines for rows of single days, in the order of their first rows.
  package static func lines(_ rows: [MetricRow]) -> [String] {
    struct Key: Hashable {
      var slice: Slice
      var metric: MetricName
      var step: String
    }
    var order: [Key] = []
    var found: [Key: [Int: String]] = [:]
    for row in rows {
      guard let day = InstantReader.day(row.slice.cohort), let numerator = row.numerator,
        let denominator = row.denominator, row.value != nil || denominator == 0
      else { continue }
      let key = Key(slice: row.slice.uncut, metric: row.metric, step: row.step)
      if found[key] == nil { order.append(key) }
      found[key, default: [:]][day] = "\(numerator)/\(denominator)"
    }
    return order.map { key in line(key.slice, key.metric, key.step, found[key] ?? [:]) }
  }

  private static func line(
    _ slice: Slice, _ metric: MetricName, _ step: String, _ counts: [Int: String]
  ) -> String {
    let first = counts.keys.min() ?? 0
    let last = counts.keys.max() ?? 0
    let members = [
      ("version", slice.version), ("experiment", slice.experiment), ("variant", slice.variant),
      ("metric", metric.rawValue), ("step", step),
    ]
    return JSONText.object(
      members.filter { $0.1 != "all" }.map { ($0.0, JSONText.string($0.1)) } + [
        ("from", JSONText.string(DaySpan.text(first))),
        (
          "days",
          JSONText.string((first...last).map { counts[$0] ?? "-" }.joined(separator: " "))
        ),
      ])
  }

  /// Above and below the line of every day that has numbers.
  package var counts: [Int] {
    days.split(separator: " ").flatMap { $0.split(separator: "/").compactMap { Int($0) } }
  }

  /// The rows as they were before they were written.
  package var metricRows: [MetricRow] {
    guard let first = InstantReader.day(from) else { return [] }
    return days.split(separator: " ").enumerated().compactMap { index, text in
      let counts = text.split(separator: "/").compactMap { Int($0) }
      guard counts.count == 2, counts[0] <= counts[1] else { return nil }
      let day = BreakdownKey(dimension: BreakdownKey.cohort, value: DaySpan.text(first + index))
      return MetricRow(
        slice: Slice(
          version: version ?? "all", experiment: experiment ?? "all", variant: variant ?? "all",
          breakdown: day), metric: metric, step: step ?? "all", numerator: counts[0],
        denominator: counts[1],
        value: counts[1] > 0 ? Double(counts[0]) / Double(counts[1]) : nil, low: nil, high: nil,
        unit: .rate)
    }
  }
}
