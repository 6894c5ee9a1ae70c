package import ExperimentStatistics
internal import FunnelEngine

/// A rate of two releases of the app, or two versions of the flow, by the days on which people
/// started with them. A day has better and worse people, a campaign, a holiday: what days do is no
/// doing of a release.
package struct ComparedDays {
  /// Whom a difference is of.
  package enum Basis: Sendable, Hashable {
    /// People of both who started on the same days.
    case sameDays
    /// Everybody, with what days differ by in the interval: hardly anybody started with both on the
    /// same days.
    case otherDays
    /// Everybody, as if no day differed from another: too few days are known.
    case people
  }

  /// How the two differ, by the first rule that the days allow.
  package struct Difference {
    /// The newer minus the one before, as a share.
    package let estimate: EstimateWithInterval
    package let basis: Basis
    /// Two-sided, of the same test as the interval; `nil` where nothing varies.
    package let p: Double?
  }

  /// The share of each side's people who must have started on days of both.
  static let leastShare = 0.1
  /// A rate of fewer people could be anything.
  static let fewestPeople = 20

  private let now: [Int: Proportion]
  private let before: [Int: Proportion]
  /// Everybody of either side.
  private let whole: ProportionComparison

  /// - Parameters:
  ///   - now: by day since 1970-01-01.
  ///   - before: likewise, of the earlier release or version.
  ///   - whole: everybody of either side.
  init(now: [Int: Proportion], before: [Int: Proportion], whole: ProportionComparison) {
    (self.now, self.before, self.whole) = (now, before, whole)
  }

  /// `nil` where nobody has the rate on one of the sides.
  func difference(level: Double) -> Difference? {
    ofSameDays(level) ?? ofOtherDays(level)
      ?? whole.difference(level: level).value.map {
        Difference(estimate: $0, basis: .people, p: whole.scoreTest().value?.twoSidedP)
      }
  }

  /// Among people who started on the same days, with Mantel and Haenszel's weights; `nil` where too
  /// few did.
  private func ofSameDays(_ level: Double) -> Difference? {
    let none = Proportion(successes: 0, trials: 0)
    let comparison = StratifiedComparison(
      strata: now.sorted { $0.key < $1.key }.map { day, counts in
        ProportionComparison(treatment: counts, control: before[day] ?? none)
      })
    func isEnough(_ shared: Proportion, of days: [Int: Proportion]) -> Bool {
      let all = days.values.reduce(0) { $0 + $1.trials }
      return shared.trials >= Self.fewestPeople
        && Double(shared.trials) >= Self.leastShare * Double(all)
    }
    // One day is a stratum without another, which counts all of it.
    guard !comparison.comparable.isEmpty, isEnough(comparison.total.treatment, of: now),
      isEnough(comparison.total.control, of: before),
      let estimate = comparison.difference(level: level).value
    else { return nil }
    return Difference(
      estimate: estimate, basis: .sameDays, p: comparison.scoreTest().value?.twoSidedP)
  }

  /// Days with one against days with the other, with what days differ by; `nil` where too few days
  /// are known to say that.
  private func ofOtherDays(_ level: Double) -> Difference? {
    func counts(_ days: [Int: Proportion]) -> [DayCounts] {
      days.sorted { $0.key < $1.key }.map { DayCounts(day: $0.key, counts: $0.value) }
    }
    guard let drop = DailyDrop(current: counts(now), reference: counts(before), margin: 0),
      let estimate = drop.difference(level: level).value
    else { return nil }
    return Difference(
      estimate: estimate, basis: .otherDays, p: drop.p.map { min(1, 2 * min($0, 1 - $0)) })
  }
}
