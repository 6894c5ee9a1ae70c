internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// The amounts of people of one experiment, by goal, variant and period of one split.
struct GroupAmounts {
  /// What is known of some people's amounts.
  struct Amounts {
    var sum = AmountSum()
    var events = AmountEvents()
    var histogram = AmountHistogram()

    mutating func add(_ other: Amounts) {
      sum.add(other.sum)
      events.add(other.events)
      histogram.merge(other.histogram)
    }

    func mean(of people: Int, cappedAt cap: AmountCap? = nil) -> SampleMean {
      let amounts = cap.map { histogram.capping(sum, at: $0) } ?? sum
      return SampleMean(
        count: people, mean: amounts.mean(of: people), variance: amounts.variance(of: people))
    }

    /// The amount an event, with the delta method's variance; `nil` without an event.
    func perEvent(of people: Int) -> SampleMean? {
      RatioOfMeans(
        count: people, numerator: sum.mean(of: people), denominator: events.mean(of: people),
        numeratorVariance: sum.variance(of: people),
        denominatorVariance: events.variance(of: people),
        covariance: events.covariance(with: sum, of: people)
      ).linearised
    }
  }

  private struct Place: Hashable {
    var goal: Int
    var variant: String
    var period: Int
  }

  private var amounts: [Place: Amounts] = [:]
  private let periods: Range<Int>

  init(_ tally: Tally, _ experiment: Int, _ declared: Experiment) {
    periods = declared.splits.indices
    func place(_ goal: Int, _ group: GroupKey) -> Place? {
      let state = group.variants[experiment]
      guard state.isCounted, let variant = state.assignedVariant else { return nil }
      return Place(goal: goal, variant: variant, period: group.periods[experiment])
    }
    for (key, sum) in tally.amounts where key.cell.breakdown == .all {
      guard let place = place(key.goal, key.cell.group) else { continue }
      amounts[place, default: Amounts()].sum.add(sum)
    }
    for (key, events) in tally.amountEvents where key.cell.breakdown == .all {
      guard let place = place(key.goal, key.cell.group) else { continue }
      amounts[place, default: Amounts()].events.add(events)
    }
    for (key, histogram) in tally.amountHistograms {
      guard let place = place(key.goal, key.group) else { continue }
      amounts[place, default: Amounts()].histogram.merge(histogram)
    }
  }

  /// The amounts of a variant's people who entered in a period, or in any.
  package func of(_ goal: Int, _ variant: String, period: Int?) -> Amounts {
    var all = Amounts()
    for index in periods where (period ?? index) == index {
      if let part = amounts[Place(goal: goal, variant: variant, period: index)] { all.add(part) }
    }
    return all
  }
}
