internal import ExperimentStatistics
internal import FlowDefinition

extension RunComparison {
  /// How the times of the two sides' people enter the tests.
  enum Times: Sendable {
    /// Most people of the two sides started at the same times, or nobody knows when.
    case same
    /// They started at other times, and too few cohorts are known to say how much those differ.
    case otherUnknown
    /// They started at other times: changes are held against how much cohorts differ.
    case other
  }

  /// How much cohorts differ in each rate; in those without rows by cohort as completion does, or
  /// where that is unknown as the first rate that has them.
  struct CohortDifferences {
    let times: Times
    private var byRate: [RecordedReport.Rate: PeriodComparison] = [:]
    private var ofOthers: PeriodComparison?

    init(_ before: RecordedSide, _ after: RecordedSide, areOtherPeriods: Bool) {
      // A baseline has people by day and not by cohort, and they began before the later side's.
      let isBaseline = before.report.began != nil
      let completion = RecordedReport.Rate(metric: .completionRate, step: "all")
      let names = [completion] + after.rates.filter { $0 != completion }
      let known = names.compactMap { name in
        before.cohorts(name).flatMap { own in
          after.cohorts(name).map { (name: name, own: own, other: $0) }
        }
      }
      let areOther = known.first.map { $0.own.isOfOtherTimes(than: $0.other) }
      guard areOther ?? (areOtherPeriods || isBaseline) else {
        times = .same
        return
      }
      for (name, own, other) in known {
        byRate[name] = PeriodComparison(before: own.inOrder, after: other.inOrder)
      }
      ofOthers = names.lazy.compactMap { [byRate] in byRate[$0] }.first
      times = ofOthers == nil ? .otherUnknown : .other
    }

    func comparison(
      _ name: RecordedReport.Rate, of rates: ProportionComparison
    ) -> PeriodComparison? {
      guard case .other = times else { return nil }
      return (byRate[name] ?? ofOthers)?.borrowed(by: rates)
    }
  }
}

/// A rate by cohort.
extension [String: Proportion] {
  /// In a fixed order, so that sums have the same last digits everywhere.
  fileprivate var inOrder: [Proportion] { sorted { $0.key < $1.key }.map(\.value) }

  /// Whether fewer than half of the people of one side started in cohorts that the other has, too.
  fileprivate func isOfOtherTimes(than other: [String: Proportion]) -> Bool {
    func shared(_ one: [String: Proportion], _ two: [String: Proportion]) -> Double {
      let all = one.values.reduce(0) { $0 + $1.trials }
      let both = one.filter { two[$0.key]?.trials ?? 0 > 0 }.values.reduce(0) { $0 + $1.trials }
      return Double(both) / Double(Swift.max(1, all))
    }
    return shared(self, other) < 0.5 || shared(other, self) < 0.5
  }
}
