/// A rate that must not have dropped by more than a margin below a reference's, where days differ:
/// as ``RateDrop``, with the variance between days (``DailyVariation``) added to that of the draw.
///
///     T = (p1 - p0 - d) / sqrt(V(d) + s^2 (f1 + f0))
///
/// V(d) is the score test's variance at the supposed difference d (``ScoreStatistic``), s^2 the
/// variance of the true rate between days, and f what the weighted mean of a side's days has of a
/// day's variance: sum n^2 / (sum n)^2 where days are independent, more where they resemble their
/// neighbours (``NeighbouringDays``). p0 is the reference on the current side's weekdays. T is held
/// against Student's distribution with the degrees of freedom that s^2 was estimated with, also
/// where it was estimated to be 0: that it is so small is not known for sure.
public struct DailyDrop: DropTest {
  /// The sample that is judged.
  public let current: Proportion
  /// What it is held against: the reference's rate as it would be on the current side's weekdays.
  public let reference: ReferenceRate
  /// Rate points; with ``isRelative`` a share of the reference's rate.
  public let margin: Double
  /// Whether the margin is a share of the reference's rate, not rate points.
  public let isRelative: Bool
  /// How much the reference's days differ, from which the variance between days is taken.
  public let variation: DailyVariation
  /// How many days of one size the current side is worth.
  private let currentDays: Double
  /// The variances of both sides' mean effects of days, for a variance of 1 of one day.
  private let ofDays: (current: Double, reference: Double)
  let student: StudentDistribution
  /// Of the true rate between days. An effect on the log odds moves a rate in proportion to
  /// p (1 - p), so a slice near a half varies more than a whole that is further off; one that
  /// would vary less is taken to vary as the whole does.
  let varianceOfDays: Double

  /// - Parameters:
  ///   - current: the days that are judged; what they add up to is tested.
  ///   - reference: the days that they are held against.
  ///   - slice: some of the people of these days, whose rates are tested and who aren't counted by
  ///     day; `nil` for all. Which weekdays are theirs is not known: where the days of both sides
  ///     aren't the same weekdays, how weekdays differ is taken as a part of how days do.
  ///   - margin: rate points; with `isRelative` a share of the reference's rate.
  /// - Returns: `nil` where too few days are known (``DailyVariation/fewestDays``), or nobody is
  ///   among the current ones.
  public init?(
    current: [DayCounts], reference: [DayCounts],
    slice: (current: Proportion, reference: Proportion)? = nil, margin: Double,
    isRelative: Bool = false
  ) {
    let isOnSameWeekdays = slice == nil || Self.areAlike(current, reference)
    guard
      let variation = DailyVariation(
        reference: reference, current: current, comparesWeekdays: isOnSameWeekdays),
      let standardized = variation.standardized(to: current)
    else { return nil }
    let total = Proportion.sum(current.map(\.counts))
    let squares = current.reduce(0) { $0 + $1.trials * $1.trials }
    self.variation = variation
    self.margin = max(0, margin)
    self.isRelative = isRelative
    if let slice {
      guard slice.current.trials > 0, let rate = slice.reference.estimate else { return nil }
      // Weights by weekday leave as large a share of a slice's trials as of the whole's.
      let share =
        standardized.reference.trials / Double(Proportion.sum(reference.map(\.counts)).trials)
      self.current = slice.current
      self.reference = ReferenceRate(rate: rate, trials: Double(slice.reference.trials) * share)
    } else {
      self.current = total
      self.reference = standardized.reference
    }
    let spreads = [self.reference, standardized.reference].map { $0.rate * (1 - $0.rate) }
    let ratio = spreads[1] > 0 ? max(1, spreads[0] / spreads[1]) : 1
    varianceOfDays = variation.variance * ratio * ratio
    currentDays = Double(total.trials) * Double(total.trials) / squares
    let shares = current.filter { $0.trials > 0 }.sorted { $0.day < $1.day }.map {
      NeighbouringDays.Weight(day: $0.day, share: $0.trials / Double(total.trials))
    }
    ofDays = (variation.neighbours.varianceOfMean(shares), standardized.varianceOfMean)
    student = variation.student(
      draws: ScoreStatistic(treatment: self.current, control: self.reference).varianceAtEquality
        / (ratio * ratio),
      days: squares / (Double(total.trials) * Double(total.trials)) + standardized.sumOfSquares)
  }

  /// Whether the people of both sides lie on the same weekdays: all but a tenth of them.
  private static func areAlike(_ current: [DayCounts], _ reference: [DayCounts]) -> Bool {
    func shares(_ days: [DayCounts]) -> [Double] {
      let total = days.reduce(0) { $0 + $1.trials }
      return days.reduce(into: Array(repeating: 0, count: 7)) { shares, day in
        shares[day.weekday] += day.trials / total
      }
    }
    let distances = zip(shares(current), shares(reference)).map { ($0 - $1).magnitude }
    return distances.reduce(0, +) / 2 <= 0.1
  }

  private init(_ other: DailyDrop, timesReference: Double) {
    current = other.current
    reference = ReferenceRate(
      rate: other.reference.rate, trials: other.reference.trials * timesReference)
    margin = other.margin
    isRelative = other.isRelative
    variation = other.variation
    currentDays = other.currentDays
    student = other.student
    varianceOfDays = other.varianceOfDays
    ofDays = (other.ofDays.current, other.ofDays.reference / timesReference)
  }

  /// How far the true rate of one day lies from that of another, as a standard deviation.
  public var deviationOfDays: Double { varianceOfDays.squareRoot() }

  /// The one-sided p-value of T at no difference; never `nil`.
  public var p: Double? { student.cumulative(widened.statistic(0)) }

  /// Whether the current rate lies below the reference's by more than the margin.
  public var isBeyondMargin: Bool {
    // A crumb, as of ``RateDrop``.
    current.estimate.map { reference.rate - $0 > points + 1e-12 } ?? false
  }
  /// The margin in rate points.
  public var points: Double { isRelative ? margin * reference.rate : margin }
  /// Twice the margin, in rate points.
  public var lookedFor: Double { 2 * points }
  /// How many people the current side has, of all its days together.
  public var trials: Int { current.trials }
  /// Whether the reference's rate is larger than the margin.
  public var canDrop: Bool { reference.rate > points + 1e-12 }
  /// Always `false`: the true rate can lie above the one that was seen, and drop by more than that.
  public var asksForNothing: Bool { false }

  /// Whether T at a drop of exactly the margin shows, at this one-sided level, that it is less.
  public func isShownToHold(alpha: Double) -> Bool {
    guard alpha > 0, alpha < 1 else { return false }
    return widened.statistic(-min(1, points)) > -student.quantile(alpha)
  }

  /// The current rate minus the reference's, with all differences that T does not reject.
  public func difference(level: Double) -> Estimate<EstimateWithInterval> {
    guard level > 0, level < 1 else { return .unavailable(.invalidLevel) }
    return .value(widened.difference(level: level))
  }

  /// The test with the reference's rate among so many people, on as many more days.
  public func withReference(trials: Int) -> DailyDrop? {
    DailyDrop(self, timesReference: Double(trials) / reference.trials)
  }

  /// The variance of the difference for a variance of 1 between days, with as many days more on the
  /// current side.
  func weightOfDays(timesCurrent times: Double) -> Double {
    let neighbours = variation.neighbours
    let more =
      neighbours.varianceOfMean(days: currentDays * times)
      / neighbours.varianceOfMean(days: currentDays)
    return ofDays.current * more + ofDays.reference
  }

  private var widened: WidenedScore {
    WidenedScore(
      score: ScoreStatistic(treatment: current, control: reference),
      variance: varianceOfDays * (ofDays.current + ofDays.reference), student: student)
  }
}
