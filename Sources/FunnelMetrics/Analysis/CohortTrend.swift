package import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// A headline rate that rises or falls from cohort to cohort beyond chance.
package struct CohortTrend {
  /// With fewer a straight line fits anything.
  static let fewestCohorts = 6
  /// Fewer who did or who didn't leave too much to the approximation of the test.
  package static let fewestPeople = 20

  package let rate: HeadlineRate
  package let line: RateTrend
  /// The whole cohorts that it goes through.
  package let cohorts: [Slice]
  /// Over all headline rates (Holm).
  package let pAdjusted: Double

  package var isRising: Bool { line.slope > 0 }
  package var isBad: Bool { (rate.metric == "skip_rate") == isRising }
}

extension Analysis {
  /// Of the headline rates those with a trend; `nil` where there are too few whole cohorts to see
  /// any.
  package var cohortTrends: [CohortTrend]? {
    let whole = cohorts().filter { !isPartial($0) }
    let found = headlines.compactMap { rate -> (HeadlineRate, RateTrend, [Slice])? in
      let samples = whole.compactMap { cohort -> (RateTrend.Sample, Slice)? in
        guard let row = row(rate.metric, step: rate.step, in: cohort),
          let dates = CohortDates(cohort.breakdown.value), let trials = row.denominator, trials > 0,
          let successes = row.numerator
        else { return nil }
        let place = Double(dates.first + dates.last) / 2
        return (RateTrend.Sample(place: place, successes: successes, trials: trials), cohort)
      }
      let trials = samples.reduce(0) { $0 + $1.0.trials }
      let successes = samples.reduce(0) { $0 + $1.0.successes }
      guard samples.count >= CohortTrend.fewestCohorts, !unmeasured.contains(rate.metric),
        min(successes, trials - successes) >= CohortTrend.fewestPeople,
        let line = RateTrend(samples.map(\.0))
      else { return nil }
      return (rate, line, samples.map(\.1))
    }
    guard !found.isEmpty else { return nil }
    let adjusted = MultipleTesting.holm.adjust(found.map(\.1.pValue))
    return zip(found, adjusted).compactMap { trend, p in
      p <= flow.statistics.alpha
        ? CohortTrend(rate: trend.0, line: trend.1, cohorts: trend.2, pAdjusted: p) : nil
    }
  }
}
