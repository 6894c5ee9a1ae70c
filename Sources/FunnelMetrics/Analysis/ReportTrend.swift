package import FlowDefinition
internal import ReportText

/// The last reports and this one, by up to when their data was complete.
///
/// Of several reports with one horizon the latest counts, and those beyond this report's horizon
/// don't: a report of an earlier day shows what was before that day, whenever it is made.
package struct ReportTrend {
  package struct Run {
    package var horizonMilliseconds: Int64
    /// `nil` for the report itself.
    package var past: PastReport?
    /// The date, with the time of day where two runs share it.
    package var label: String
  }

  package static let maximumRuns = 12
  /// The oldest first, at least two; the last is the report itself.
  package let runs: [Run]
  private let analysis: Analysis

  package init?(_ report: Report) {
    guard let horizon = report.provenance.horizonMilliseconds else { return nil }
    var latest: [Int64: PastReport] = [:]
    for past in report.past where past.horizonMilliseconds < horizon {
      latest[past.horizonMilliseconds] = past
    }
    let kept = latest.sorted { $0.key < $1.key }.suffix(ReportTrend.maximumRuns - 1)
    guard !kept.isEmpty else { return nil }
    let horizons = kept.map(\.key) + [horizon]
    let dates = horizons.map { String(InstantText.minute($0).prefix(10)) }
    let isByDate = Set(dates).count == dates.count
    analysis = report.analysis
    runs = horizons.enumerated().map { index, horizon in
      Run(
        horizonMilliseconds: horizon, past: index < kept.count ? kept.map(\.value)[index] : nil,
        label: isByDate ? dates[index] : InstantText.minute(horizon))
    }
  }

  /// What a run says of a metric.
  package func row(_ run: Run, _ metric: MetricName, step: String = "all", in slice: Slice = .all)
    -> MetricRow?
  {
    guard let past = run.past else { return analysis.row(metric, step: step, in: slice) }
    return past.row(metric, step: step, in: slice)
  }

  /// How the completion of an arm compared with the control each time that somebody looked.
  package struct Look {
    package struct Point {
      package var run: Run
      package var row: MetricRow
      package var value: Double
    }

    package var experiment: String
    package var variant: String
    package var control: String
    /// The oldest first, at least two.
    package var points: [Point]
  }

  /// The looks at each arm; none of an experiment whose split says that it can't be compared.
  package var looks: [Look] {
    let pairs = analysis.experiments.filter(\.doubts.isEmpty).flatMap { summary in
      summary.comparisons.filter { $0.metric == .completionRate }
    }
    return pairs.compactMap { pair in
      let slice = Slice(experiment: pair.experiment, variant: pair.variant)
      let points = runs.compactMap { run -> Look.Point? in
        guard let row = row(run, .completionRate.compared(by: .difference), in: slice),
          let value = row.value
        else { return nil }
        return Look.Point(run: run, row: row, value: value)
      }
      guard points.count > 1 else { return nil }
      return Look(
        experiment: pair.experiment, variant: pair.variant, control: pair.control, points: points)
    }
  }
}

/// A rate that is shown over time.
package struct HeadlineRate {
  package var metric: MetricName
  package var step: String
  package var name: String
}

extension Analysis {
  /// What is shown over time, the most important first.
  package var headlines: [HeadlineRate] {
    var found = [HeadlineRate(metric: .completionRate, step: "all", name: "Completion")]
    if let measure = RetentionMeasure.telling(self) {
      found.append(
        HeadlineRate(
          metric: .retention(measure), step: "all", name: measure.words.capitalizedFirst))
    }
    found += flow.permissions.prefix(2).map {
      HeadlineRate(metric: .permissionOptIn, step: $0, name: "Opt-in, \($0)")
    }
    if endsBySkipping && !unmeasured.contains(.skipRate) {
      found.append(HeadlineRate(metric: .skipRate, step: "all", name: "Left by skipping"))
    }
    return found
  }
}
