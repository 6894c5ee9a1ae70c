internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// The counters of everybody, or of one value of a breakdown, by where people stand in one
/// experiment, and by period.
struct ExperimentCells {
  private let counts: [(state: VariantState, period: Int, counts: [Int])]
  private let width: Int

  init(_ tally: Tally, experiment: Int, breakdown: BreakdownKey = .all) {
    var sums: [Place: [Int]] = [:]
    for (key, cell) in tally.cells where key.breakdown == breakdown {
      let place = Place(
        state: key.group.variants[experiment], period: key.group.periods[experiment])
      var sum = sums.removeValue(forKey: place) ?? Array(repeating: 0, count: cell.count)
      for index in sum.indices { sum[index] += cell[index] }
      sums[place] = sum
    }
    counts = sums.map { ($0.key.state, $0.key.period, $0.value) }
    width = tally.layout.count
  }

  private struct Place: Hashable {
    var state: VariantState
    var period: Int
  }

  /// The counters of everybody in some states, of one period or of all.
  func sum(period: Int? = nil, where isIncluded: (VariantState) -> Bool) -> [Int] {
    var sum = [Int](repeating: 0, count: width)
    for cell in counts where (period ?? cell.period) == cell.period && isIncluded(cell.state) {
      for index in sum.indices { sum[index] += cell.counts[index] }
    }
    return sum
  }

  /// A rate of a variant and of the control, by period of one split.
  func comparison(
    of rate: RateDefinition, _ variant: String, _ control: String, in experiment: Experiment
  ) -> StratifiedComparison {
    func proportion(_ variant: String, _ period: Int) -> Proportion {
      let counts = sum(period: period) { $0.isCounted && $0.assignedVariant == variant }
      return Proportion(
        successes: rate.numerators.reduce(0) { $0 + counts[$1] }, trials: counts[rate.denominator])
    }
    return StratifiedComparison(
      strata: experiment.splits.indices.map { period in
        ProportionComparison(
          treatment: proportion(variant, period), control: proportion(control, period))
      })
  }
}

extension VariantState {
  /// Whether the person counts for a variant.
  var isCounted: Bool {
    switch self {
    case .assigned, .first: true
    case .unassigned, .outside, .notExposed, .contaminated: false
    }
  }

  /// Assigned, and never exposed.
  var isNotExposed: Bool {
    if case .notExposed = self { true } else { false }
  }

  /// The variant that the person was assigned to, exposed or not.
  var assignedVariant: String? {
    switch self {
    case .assigned(let name), .first(let name, of: _): name
    case .notExposed(let name): name
    case .unassigned, .outside, .contaminated: nil
    }
  }
}
