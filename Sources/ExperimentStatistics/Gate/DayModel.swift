/// Days after a reference, with the weights that their rates have: the inverse of the variance that
/// the draw and the day's effect give them, up to a factor that is unknown.
///
/// Where days resemble their neighbours (``NeighbouringDays``) weights and degrees of freedom are
/// divided by the number of days that say as much as an independent one: that of their effects,
/// by the share that these have of a usual day's variance; draws are independent.
struct DayModel {
  let variation: DailyVariation
  /// Of the reference.
  let rate: Double
  /// Days with people, in order.
  let following: [DayCounts]
  private(set) var ofReference: WeekdaySums
  private let spread: Double
  private let unit: Double
  private let daysPerIndependent: Double

  /// - Returns: `nil` where too few days of the reference are known
  ///   (``DailyVariation/fewestDays``), or none follows.
  init?(days: [DayCounts], reference: [DayCounts]) {
    following = days.filter { $0.counts.trials > 0 }.sorted { $0.day < $1.day }
    let known = reference.filter { $0.counts.trials > 0 }.sorted { $0.day < $1.day }
    guard !following.isEmpty,
      let variation = DailyVariation(reference: known, current: following),
      let rate = Proportion.sum(known.map(\.counts)).estimate
    else { return nil }
    self.variation = variation
    self.rate = rate
    // Half a success and half a failure more, so that a reference without failures has a variance.
    let trials = known.reduce(0) { $0 + $1.trials }
    let shrunk = (rate * trials + 0.5) / (trials + 1)
    spread = shrunk * (1 - shrunk)
    unit = spread * Double(known.count) / trials + variation.variance
    let share = unit > 0 ? variation.variance / unit : 0
    daysPerIndependent = 1 + share * (variation.neighbours.perDay - 1)
    ofReference = WeekdaySums(daysPerIndependent: daysPerIndependent)
    var sums = ofReference
    for day in known { add(day, to: &sums) }
    ofReference = sums
  }

  func add(_ day: DayCounts, to sums: inout WeekdaySums) {
    let weight = unit / (spread / day.trials + variation.variance) / daysPerIndependent
    sums.add(day.counts.estimate ?? 0, weight, variation.isByWeekday ? day.weekday : 0)
  }
}
