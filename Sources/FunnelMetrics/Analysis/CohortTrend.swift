package import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// A headline rate that rises or falls from cohort to cohort beyond chance, or jumps at one.
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
  /// Two levels, where a straight line is clearly worse.
  package fileprivate(set) var jump: RateJump?
  /// Over all headline rates (Holm), of the jump where there is one.
  package fileprivate(set) var pAdjusted: Double

  package var isRising: Bool { jump.map { $0.after > $0.before } ?? (line.slope > 0) }
  /// How many cohorts each of the ends has.
  package var endCohorts: Int { CohortTrend.endCount(of: cohorts.count) }

  /// What rises in between and ends lower is no rise.
  fileprivate var endsAsItGoes: Bool {
    ends.first != ends.last && (ends.first < ends.last) == (line.slope > 0)
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
    let found = headlines.compactMap { rate -> CohortTrend? in
      let samples = self.samples(rate.metric, step: rate.step)
      guard !unmeasured.contains(rate.metric), CohortTrend.isEnough(samples.map(\.sample)),
        let line = RateTrend(samples.map(\.sample))
      else { return nil }
      let count = CohortTrend.endCount(of: samples.count)
      let ends = [samples.prefix(count), samples.suffix(count)].map {
        CohortTrend.rate($0.map(\.sample))
      }
      return CohortTrend(
        rate: rate, line: line, cohorts: samples.map(\.cohort), ends: (ends[0], ends[1]),
        jump: RateJump(samples.map(\.sample)), pAdjusted: 1)
    }
    guard !found.isEmpty else { return nil }
    let lines = MultipleTesting.holm.adjust(found.map(\.line.pValue))
    let jumps = MultipleTesting.holm.adjust(found.map { $0.jump?.pValue ?? 1 })
    let alpha = flow.statistics.alpha
    return found.indices.compactMap { index in
      var trend = found[index]
      if trend.jump != nil, jumps[index] <= alpha {
        trend.pAdjusted = jumps[index]
        return trend
      }
      trend.jump = nil
      trend.pAdjusted = lines[index]
      return lines[index] <= alpha && trend.endsAsItGoes ? trend : nil
    }
  }

  /// Of a step that people leave: when that changed from one level to another.
  package func change(ofDropOff step: String, in slice: Slice = .all) -> CohortChange? {
    let samples = self.samples(.stepDropOff, step: step, of: slice)
    guard CohortTrend.isEnough(samples.map(\.sample)),
      let jump = RateJump(samples.map(\.sample)), jump.pValue <= flow.statistics.alpha
    else { return nil }
    return CohortChange(jump: jump, cohort: samples[jump.index].cohort)
  }

  /// The people of the whole cohorts, in order; those in which nobody counts, or those of its first
  /// days alone, are left out.
  private func samples(
    _ metric: MetricName, step: String, of slice: Slice = .all
  ) -> [(sample: RateTrend.Sample, cohort: Slice)] {
    cohorts(of: slice).compactMap { cohort in
      guard !isPartial(cohort), let row = row(metric, step: step, in: cohort),
        !isPartial(cohort, for: row), let dates = CohortDates(cohort.breakdown.value),
        let trials = row.denominator, trials > 0, let successes = row.numerator
      else { return nil }
      let place = Double(dates.first + dates.last) / 2
      return (RateTrend.Sample(place: place, successes: successes, trials: trials), cohort)
    }
  }
}

/// When a rate changed from one level to another, and to which.
package struct CohortChange {
  package let jump: RateJump
  /// The first with the second level.
  package let cohort: Slice
}

extension CohortTrend {
  fileprivate static func isEnough(_ samples: [RateTrend.Sample]) -> Bool {
    let trials = samples.reduce(0) { $0 + $1.trials }
    let successes = samples.reduce(0) { $0 + $1.successes }
    return samples.count >= fewestCohorts && min(successes, trials - successes) >= fewestPeople
  }
}
