public import ExperimentStatistics
public import FlowDefinition
internal import FunnelEngine

/// One point of a curve over time.
public struct CurvePoint: Sendable {
  /// The persons the curve is about: a slice that is not cut.
  public var slice: Slice
  /// `incidence_finished`, `incidence_skipped`, `incidence_abandoned`, or `returned_by`.
  public var metric: MetricName
  /// The time since entry.
  public var milliseconds: Int64
  /// The share of all who entered to whom it happened by then, the immature censored; `nil` beyond
  /// what the data say.
  public var share: Double?
  /// Its interval; none where it has happened to nobody or to all.
  public var interval: Interval?
}

/// Curves of what happened by when: outcomes as competing risks (Aalen–Johansen) and the first
/// return (Kaplan–Meier, Greenwood), over all people who entered; those still open are censored.
struct SurvivalAnalysis {
  private static let minute: Int64 = 60_000
  private static let day: Int64 = 86_400_000
  /// Where the curves are read.
  static let outcomeTimes: [Int64] =
    [30_000, minute, 2 * minute, 3 * minute, 5 * minute, 10 * minute, 30 * minute, 60 * minute]
    + [6 * 60 * minute, day]
  static let returnTimes: [Int64] = [2, 3, 4, 7, 8, 14, 15, 30, 31].map { $0 * day }

  let tally: Tally
  let table: SliceTable

  func points() -> [CurvePoint] {
    let histograms = summed()
    let unmeasured = Unmeasured(table, tally.quality)
    return table.uncut.flatMap { slice in
      outcomes(slice, histograms[slice] ?? [:]) + returns(slice, histograms[slice] ?? [:])
    }.map { point in
      guard unmeasured.contains(point.metric) else { return point }
      var unknown = point
      (unknown.share, unknown.interval) = (nil, nil)
      return unknown
    }
  }

  private func summed() -> [Slice: [SurvivalMeasure: TimeHistogram]] {
    var sums: [Slice: [SurvivalMeasure: TimeHistogram]] = [:]
    for (key, histogram) in tally.survival {
      for slice in SliceTable.groupSlices(key.group, table.flow) {
        sums[slice, default: [:]][key.measure, default: TimeHistogram()].merge(histogram)
      }
    }
    return sums
  }

  private func outcomes(
    _ slice: Slice, _ histograms: [SurvivalMeasure: TimeHistogram]
  ) -> [CurvePoint] {
    let causes: [(measure: SurvivalMeasure, metric: MetricName)] = [
      (.finished, .incidenceFinished), (.skipped, .incidenceSkipped),
      (.abandoned, .incidenceAbandoned),
    ]
    var endings: [Ending] = []
    for (index, cause) in causes.enumerated() {
      SurvivalAnalysis.add(histograms[cause.measure], cause: index, to: &endings)
    }
    SurvivalAnalysis.add(histograms[.censored], cause: nil, to: &endings)
    let curve = CumulativeIncidence(endings, causes: 3)
    let window = table.flow.windowMilliseconds
    let times = SurvivalAnalysis.outcomeTimes.filter { $0 < window } + [window]
    return causes.enumerated().flatMap { index, cause in
      times.map { time in
        let edge = Double(TimeHistogram.lowerEdge(around: time))
        let last = curve.step(at: edge)
        let isTold = edge <= curve.lastTime ?? -1 || last?.survival == 0
        return CurvePoint(
          slice: slice, metric: cause.metric, milliseconds: time,
          share: isTold ? last?.incidence[index] ?? 0 : nil,
          interval: curve.interval(cause: index, at: edge).value?.interval)
      }
    }
  }

  private static func add(
    _ histogram: TimeHistogram?, cause: Int?, to endings: inout [Ending]
  ) {
    for bucket in histogram?.buckets ?? [] {
      endings.append(
        Ending(
          time: Double(bucket.lowerEdgeMilliseconds), cause: cause, count: bucket.count))
    }
  }

  private func returns(
    _ slice: Slice, _ histograms: [SurvivalMeasure: TimeHistogram]
  ) -> [CurvePoint] {
    var counts: [TimeCount] = []
    for bucket in histograms[.returned]?.buckets ?? [] {
      counts.append(
        TimeCount(time: Double(bucket.lowerEdgeMilliseconds), events: bucket.count, censored: 0))
    }
    for bucket in histograms[.returnCensored]?.buckets ?? [] {
      counts.append(
        TimeCount(time: Double(bucket.lowerEdgeMilliseconds), events: 0, censored: bucket.count))
    }
    let curve = KaplanMeier(counts)
    return SurvivalAnalysis.returnTimes.map { time in
      let edge = Double(TimeHistogram.lowerEdge(around: time))
      let away = curve.interval(at: edge).value?.interval
      return CurvePoint(
        slice: slice, metric: .returnedBy, milliseconds: time,
        share: curve.survival(at: edge).value.map { 1 - $0 },
        interval: away.map { Interval(lower: 1 - $0.upper, upper: 1 - $0.lower) })
    }
  }
}
