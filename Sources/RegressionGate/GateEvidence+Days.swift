internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

extension GateEvidenceSource {
  /// A rate held against the baseline's, with how much days differ where both sides know it.
  ///
  /// Slices that are cut by a dimension aren't counted by day: their days differ as those of the
  /// whole do. Neither are the weighted rates of a rule that is adjusted (`isPart`).
  func drop(
    _ item: GateCase, _ current: Proportion, _ reference: Proportion, _ baseline: Baseline,
    margin: Double, isRelative: Bool, isPart: Bool = false
  ) -> (test: any DropTest, days: DayToDay) {
    let isFlipped = item.rule.better == .lower
    let whole = item.slice.uncut
    let own = counts(item, analysis.cohorts(in: whole), isFlipped) {
      analysis.row($0, step: $1, in: $2)
    }
    let before = counts(item, baseline.cohorts(in: whole), isFlipped) {
      baseline.row($0, step: $1, in: $2)
    }
    let slice = item.slice == whole && !isPart ? nil : (current: current, reference: reference)
    let plain = RateDrop(
      current: current, reference: reference, margin: margin, isRelative: isRelative)
    let known = before.count { $0.counts.trials > 0 }
    // Where people are left out of the days, the days are not those of the number.
    guard slice != nil || Proportion.sum(own.map(\.counts)) == current,
      let daily = DailyDrop(
        current: own, reference: before, slice: slice, margin: margin, isRelative: isRelative)
    else { return (plain, DayToDay(days: known)) }
    let isExpected = daily.variation.isByWeekday && slice == nil
    let expected = isExpected ? daily.reference.rate : nil
    return (
      daily,
      DayToDay(
        days: known, deviation: daily.deviationOfDays,
        neighbourCorrelation: daily.variation.neighbours.correlation,
        referenceOnSameWeekdays: expected.map { isFlipped ? 1 - $0 : $0 })
    )
  }

  func counts(
    _ item: GateCase, _ cohorts: [String], _ isFlipped: Bool,
    _ row: (MetricName, String, Slice) -> MetricRow?
  ) -> [DayCounts] {
    cohorts.compactMap { cohort in
      var slice = item.slice.uncut
      slice.breakdown = BreakdownKey(dimension: BreakdownKey.cohort, value: cohort)
      guard let day = InstantReader.day(cohort), let found = row(item.metric, item.step, slice),
        let counts = proportion(found, isFlipped: isFlipped)
      else { return nil }
      return DayCounts(day: day, counts: counts)
    }
  }
}

extension Analysis {
  /// The cohorts of a slice that is not cut, in the order of output.
  func cohorts(in slice: Slice) -> [String] {
    slices.slices.filter { $0.uncut == slice && $0.cohort != "all" }.map(\.cohort)
  }
}
