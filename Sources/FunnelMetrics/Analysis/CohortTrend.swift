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
  /// The rate of the first quarter of the cohorts and of the last. A line fitted to a cliff begins
  /// and ends where nobody ever was.
  package let ends: (first: Double, last: Double)
  /// Over all headline rates (Holm).
  package fileprivate(set) var pAdjusted: Double

  package var isRising: Bool { line.slope > 0 }
  /// How many cohorts each of the ends has.
  package var endCohorts: Int { CohortTrend.endCount(of: cohorts.count) }

  /// What rises in between and ends lower is no rise.
  fileprivate var endsAsItGoes: Bool {
    ends.first != ends.last && (ends.first < ends.last) == isRising
  }

  fileprivate static func endCount(of cohorts: Int) -> Int { max(1, cohorts / 4) }

  fileprivate static func rate(_ samples: [RateTrend.Sample]) -> Double {
    let trials = samples.reduce(0) { $0 + $1.trials }
    return Double(samples.reduce(0) { $0 + $1.successes }) / Double(max(1, trials))
  }
  package var isBad: Bool { (rate.metric == .skipRate) == isRising }
}

extension Analysis {
  /// Of the headline rates those with a trend; `nil` where there are too few whole cohorts to see
  /// any.
  package var cohortTrends: [CohortTrend]? {
    let whole = cohorts().filter { !isPartial($0) }
    let found = headlines.compactMap { rate -> CohortTrend? in
      let samples = whole.compactMap { cohort in sample(rate, cohort).map { ($0, cohort) } }
      let trials = samples.reduce(0) { $0 + $1.0.trials }
      let successes = samples.reduce(0) { $0 + $1.0.successes }
      guard samples.count >= CohortTrend.fewestCohorts, !unmeasured.contains(rate.metric),
        min(successes, trials - successes) >= CohortTrend.fewestPeople,
        let line = RateTrend(samples.map(\.0))
      else { return nil }
      let count = CohortTrend.endCount(of: samples.count)
      let ends = [samples.prefix(count), samples.suffix(count)].map {
        CohortTrend.rate($0.map(\.0))
      }
      return CohortTrend(
        rate: rate, line: line, cohorts: samples.map(\.1), ends: (ends[0], ends[1]), pAdjusted: 1)
    }
    guard !found.isEmpty else { return nil }
    let adjusted = MultipleTesting.holm.adjust(found.map(\.line.pValue))
    return zip(found, adjusted).compactMap { trend, p in
      var trend = trend
      trend.pAdjusted = p
      return p <= flow.statistics.alpha && trend.endsAsItGoes ? trend : nil
    }
  }

  /// The people of a cohort; `nil` where nobody counts, or those of its first days alone.
  private func sample(_ rate: HeadlineRate, _ cohort: Slice) -> RateTrend.Sample? {
    guard let row = row(rate.metric, step: rate.step, in: cohort), !isPartial(cohort, for: row),
      let dates = CohortDates(cohort.breakdown.value), let trials = row.denominator, trials > 0,
      let successes = row.numerator
    else { return nil }
    return RateTrend.Sample(
      place: Double(dates.first + dates.last) / 2, successes: successes, trials: trials)
  }
}
