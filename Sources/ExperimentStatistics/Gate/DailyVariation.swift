/// How much a rate differs from day to day beyond the luck of the draw, from the days of a
/// reference.
///
/// On day d of weekday w the true rate is p(w) + e(d): weekdays have rates of their own, and the
/// days' effects e(d) have one variance (``VarianceBetween``) and are correlated as
/// ``NeighbouringDays`` has it.
public struct DailyVariation: Sendable, Hashable {
  /// With fewer days nothing can be said of how days differ.
  public static let fewestDays = 14

  /// How many days of the reference have trials.
  public let days: Int
  /// Whether weekdays are compared with the same weekdays; else all days with all days.
  public let isByWeekday: Bool
  /// The variance of the true rate between days of one weekday.
  public let variance: Double
  /// The variance that the luck of the draw alone gives a day's rate, of days of the usual size.
  let drawOfDay: Double
  /// How much a day's effect resembles that of the day before.
  public let neighbours: NeighbouringDays
  /// Days minus weekdays, fewer where days differ in size (``VarianceBetween``).
  let independentDegrees: Int
  /// As ``independentDegrees``, fewer where days resemble their neighbours (``neighbours``).
  public let degreesOfFreedom: Int
  /// In order, each with trials.
  private let reference: [DayCounts]
  private let groups: [Int: Group]

  /// The days of one weekday, or of all.
  private struct Group: Hashable {
    var successes = 0.0
    var trials = 0.0
    var days = 0
    var rate: Double { successes / trials }

    mutating func add(_ day: DayCounts) {
      successes += Double(day.counts.successes)
      trials += day.trials
      days += 1
    }
  }

  /// - Parameters:
  ///   - reference: one entry a day, in any order; days without trials say nothing.
  ///   - current: the days that will be compared with it.
  ///   - comparesWeekdays: `false` where what is compared has weekdays of its own, which are not
  ///     known: how weekdays differ is then a part of how days do.
  /// - Returns: `nil` with fewer than ``fewestDays`` days.
  public init?(reference: [DayCounts], current: [DayCounts], comparesWeekdays: Bool = true) {
    let known = reference.filter { $0.counts.trials > 0 }.sorted { $0.day < $1.day }
    guard known.count >= Self.fewestDays else { return nil }
    var groups: [Int: Group] = [:]
    for day in known { groups[day.weekday, default: Group()].add(day) }
    let asked = Set(current.filter { $0.counts.trials > 0 }.map(\.weekday))
    // One day of a weekday would leave nothing to separate its effect from the weekday's.
    isByWeekday =
      comparesWeekdays && asked.union(groups.keys).allSatisfy { (groups[$0]?.days ?? 0) >= 2 }
    if !isByWeekday {
      groups = [0: known.reduce(into: Group()) { $0.add($1) }]
    }
    days = known.count
    let byWeekday = isByWeekday
    let between = VarianceBetween(
      groups.keys.sorted().map { weekday in
        known.filter { !byWeekday || $0.weekday == weekday }.map(\.counts)
      })
    (variance, drawOfDay) = (between.variance, between.draw)
    independentDegrees = between.degreesOfFreedom
    let distances = Self.distances(known, groups, isByWeekday: isByWeekday)
    neighbours = NeighbouringDays(
      distances, variance: variance, drawOfDay: drawOfDay,
      daysLessWeekdays: between.samplesLessGroups)
    degreesOfFreedom = neighbours.degreesOfFreedom(of: independentDegrees)
    self.reference = known
    self.groups = groups
  }

  /// What a difference is held against, over its estimated deviation.
  ///
  /// - Parameters:
  ///   - draws: the variance that the luck of the draw gives the difference.
  ///   - days: the variance that independent days give it, for a variance of 1 of one day. Where
  ///     days resemble their neighbours ``degreesOfFreedom`` are fewer already.
  func student(draws: Double, days: Double) -> StudentDistribution {
    // The variance between days is estimated with an error of a whole day's: its draw's and its
    // effect's. Where people are many beside those of a usual day, that is more than all of the
    // difference's variance. Fewer are never taken to make it known better.
    let (whole, uncertain) = (draws + variance * days, (drawOfDay + variance) * days)
    let share = whole > 0 ? max(1, uncertain / whole) : 1
    return StudentDistribution(
      degreesOfFreedom: Int((Double(degreesOfFreedom) / (share * share)).rounded()))
  }

  private static func distances(
    _ days: [DayCounts], _ groups: [Int: Group], isByWeekday: Bool
  ) -> [NeighbouringDays.Distance] {
    days.compactMap { day in
      guard let rate = day.counts.estimate, let group = groups[isByWeekday ? day.weekday : 0]
      else { return nil }
      return NeighbouringDays.Distance(
        day: day.day, fromMean: rate - group.rate, trials: day.trials)
    }
  }

  /// What the reference would have shown on the weekdays of the current days, and the variance of
  /// its days' mean effect for a variance of 1 of one day, also if they were independent.
  func standardized(
    to current: [DayCounts]
  ) -> (reference: ReferenceRate, varianceOfMean: Double, sumOfSquares: Double)? {
    let total = current.reduce(0) { $0 + $1.trials }
    guard total > 0 else { return nil }
    var people: [Int: Double] = [:]
    for day in current { people[isByWeekday ? day.weekday : 0, default: 0] += day.trials }
    let shares = people.mapValues { $0 / total }
    var (rate, perTrial) = (0.0, 0.0)
    // In a fixed order, so that sums have the same last digits everywhere.
    for (weekday, share) in shares.sorted(by: { $0.key < $1.key }) where share > 0 {
      guard let group = groups[weekday] else { return nil }
      rate += share * group.rate
      perTrial += share * share / group.trials
    }
    let weights = reference.compactMap { day -> NeighbouringDays.Weight? in
      let weekday = isByWeekday ? day.weekday : 0
      guard let share = shares[weekday], let group = groups[weekday] else { return nil }
      return NeighbouringDays.Weight(day: day.day, share: share * day.trials / group.trials)
    }
    return (
      ReferenceRate(rate: min(1, rate), trials: 1 / perTrial),
      neighbours.varianceOfMean(weights), weights.reduce(0) { $0 + $1.share * $1.share }
    )
  }
}
