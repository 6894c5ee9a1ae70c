internal import ExperimentStatistics
package import FlowDefinition
internal import FunnelEngine

extension Analysis {
  /// The interval of a duration's percentile, such as `time_to_complete_p50`, at 95 % and in
  /// seconds: from the times of the people of the slice alone, whatever their distribution.
  ///
  /// A bound is infinite where it is of people who never do it.
  ///
  /// - Returns: `nil` for any other metric, and where too few people have a time: 6 for a median.
  package func durationInterval(
    _ metric: MetricName, step: String = "all", in slice: Slice = .all
  ) -> ClosedRange<Double>? {
    guard let quantile = MetricCatalog.quantile(of: metric),
      let measure = timeMeasure(quantile.measure, step)
    else { return nil }
    let buckets = times[slice]?[measure]?.buckets ?? []
    let counts = ValueCounts(buckets.map { (Double($0.lowerEdgeMilliseconds), $0.count) })
    guard
      case .value(let found) = QuantileIntervals.quantile(
        Double(quantile.percent) / 100, of: counts)
    else {
      return nil
    }
    // Those who never do it stand beyond all times.
    let never = Double(TimeHistogram.lowerEdge(around: TimeHistogram.maximumMilliseconds))
    func seconds(_ bound: Double) -> Double { bound >= never ? .infinity : bound / 1000 }
    return seconds(found.interval.lower)...seconds(found.interval.upper)
  }
}
