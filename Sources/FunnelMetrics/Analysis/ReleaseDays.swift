internal import ExperimentStatistics
internal import FunnelEngine

/// Two releases of the app by the days on which people started with them. A day has better and
/// worse people, a campaign, a holiday: what days do is no doing of a release (definitions 10.7).
struct ReleaseDays {
  private let release: [Int: Proportion]
  private let before: [Int: Proportion]

  /// The share of each release's people who must have started on days of both.
  static let leastShare = 0.1

  init(_ release: Slice, _ before: Slice, _ tally: Tally) {
    func days(_ slice: Slice) -> [Int: Proportion] {
      var days: [Int: Proportion] = [:]
      for (key, counts) in tally.releaseDays
      where key.release == slice.breakdown && counts.persons > 0 {
        days[key.day] = Proportion(successes: counts.finished, trials: counts.persons)
      }
      return days
    }
    (self.release, self.before) = (days(release), days(before))
  }

  /// Among people who started on the same days, with Mantel and Haenszel's weights; `nil` where too
  /// few did.
  func ofSameDays(level: Double) -> EstimateWithInterval? {
    let none = Proportion(successes: 0, trials: 0)
    let comparison = StratifiedComparison(
      strata: release.sorted { $0.key < $1.key }.map { day, counts in
        ProportionComparison(treatment: counts, control: before[day] ?? none)
      })
    func isEnough(_ shared: Proportion, of days: [Int: Proportion]) -> Bool {
      let all = days.values.reduce(0) { $0 + $1.trials }
      return shared.trials >= ReleaseChange.fewestPeople
        && Double(shared.trials) >= Self.leastShare * Double(all)
    }
    // One day is a stratum without another, which counts all of it.
    guard !comparison.comparable.isEmpty, isEnough(comparison.total.treatment, of: release),
      isEnough(comparison.total.control, of: before)
    else { return nil }
    return comparison.difference(level: level).value
  }

  /// Days with one against days with the other, with what days differ by; `nil` where too few days
  /// are known to say that.
  func ofOtherDays(level: Double) -> EstimateWithInterval? {
    func counts(_ days: [Int: Proportion]) -> [DayCounts] {
      days.sorted { $0.key < $1.key }.map { DayCounts(day: $0.key, counts: $0.value) }
    }
    return DailyDrop(current: counts(release), reference: counts(before), margin: 0)?
      .difference(level: level).value
  }
}
