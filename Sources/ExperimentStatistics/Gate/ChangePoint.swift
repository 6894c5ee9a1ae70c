/// On which day a rate became worse, of the days since a reference, with the days that it may have
/// been.
///
/// The model is that of ``SlowDecline`` with one first day from which on the rate is lower. A day's
/// chance is its likelihood, with the weekdays' rates, the variance and the size of the drop
/// integrated out, over the sum of all days': Cobb's conditional solution ("The problem of the
/// Nile", Biometrika 65, 1978), which conditions on what the data say of how well the day can be
/// known. The interval runs from the first to the last of the likeliest days that together have the
/// level; that it covers the true day as often as that is simulated (docs/trust.md), also where it
/// is asked only after a night failed. A decline that comes slowly has no such day: the interval is
/// then about where most of it came.
public struct ChangePoint: Sendable, Hashable {
  /// The likeliest first day of the drop; days since 1970.
  public let day: Int
  /// The first day of the interval, at or before ``day``; days since 1970.
  public let earliest: Int
  /// The last day of the interval, at or after ``day``; days since 1970.
  public let latest: Int
  /// By how much the rate is lower from the likeliest day on, in rate points (0…1).
  public let drop: Double

  /// - Parameters:
  ///   - days: every day since the reference, in any order.
  ///   - reference: the days that somebody accepted.
  ///   - level: of the interval, such as 0.95.
  /// - Returns: `nil` where too few days are known, or no day begins a drop.
  public init?(days: [DayCounts], reference: [DayCounts], level: Double) {
    guard let model = DayModel(days: days, reference: reference) else { return nil }
    var prefixes: [WeekdaySums] = []
    var sums = model.ofReference
    for day in model.following {
      prefixes.append(sums)
      model.add(day, to: &sums)
    }
    var candidates: [(day: Int, weight: Double, drop: Double)] = []
    for (day, before) in zip(model.following, prefixes) {
      guard let found = sums.decline(since: before) else { continue }
      candidates.append((day.day, found.likelihoodRatio, found.drop))
    }
    let sum = candidates.reduce(0) { $0 + $1.weight }
    let ordered = candidates.sorted { ($0.weight, $0.day) > ($1.weight, $1.day) }
    guard let best = ordered.first, sum > 0 else { return nil }
    (day, drop) = (best.day, best.drop)
    var (covered, first, last) = (0.0, best.day, best.day)
    for candidate in ordered where covered < level {
      covered += candidate.weight / sum
      first = min(first, candidate.day)
      last = max(last, candidate.day)
    }
    (earliest, latest) = (first, last)
  }
}
