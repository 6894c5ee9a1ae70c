package import ExperimentStatistics
package import FlowDefinition
package import FunnelEngine

/// The counters of everybody, or of one value of a breakdown, by where people stand in one
/// experiment, and by period.
package struct ExperimentCells {
  private let counts: [(state: VariantState, period: Int, counts: [Int])]
  private let width: Int
  /// Of each value of the dimensions that rates are compared within, or of each combination, in
  /// the order of the values; empty for none.
  package let strata: [ExperimentCells]
  /// How many people of the variants have a value that isn't kept by itself, in `strata`.
  package private(set) var peopleOfOtherValues = 0

  package init(_ tally: Tally, experiment: Int, breakdown: BreakdownKey = .all) {
    self.init(
      Self.sums(tally.cells, experiment) { $0.breakdown == breakdown ? breakdown : nil }[breakdown]
        ?? [:], tally.layout.count)
  }

  /// Everybody, with the values of the dimensions that the experiment is stratified by.
  package init(_ tally: Tally, experiment: Int, stratifiedBy dimensions: [String]) {
    let all = Self.sums(tally.cells, experiment) { $0.breakdown == .all ? .all : nil }
    let name = DimensionCrossing.name(dimensions)
    let strata = Self.sums(dimensions.count > 1 ? tally.crossedCells : tally.cells, experiment) {
      $0.breakdown.dimension == name && !dimensions.isEmpty ? $0.breakdown : nil
    }
    let width = tally.layout.count
    self.init(
      all[.all] ?? [:], width,
      strata: strata.keys.sorted().map { ExperimentCells(strata[$0] ?? [:], width) })
    let others = strata.filter { DimensionCrossing.hasOther($0.key.value) }
    peopleOfOtherValues = others.values.reduce(0) { sum, cells in
      sum + ExperimentCells(cells, width).sum { $0.isCounted }[tally.layout[.entered]]
    }
  }

  /// The people of each value of a dimension, in the order of the values.
  package static func values(
    of dimension: String, _ tally: Tally, experiment: Int
  ) -> [(name: String, cells: ExperimentCells)] {
    values(tally, experiment) { $0.breakdown.dimension == dimension ? $0.breakdown : nil }
  }

  /// The people of each variant of another experiment, in the order of the variants' ids.
  package static func values(
    ofExperiment other: Int, _ tally: Tally, experiment: Int
  ) -> [(name: String, cells: ExperimentCells)] {
    values(tally, experiment) { key in
      let state = key.group.variants[other]
      guard key.breakdown == .all, state.isCounted, let variant = state.assignedVariant else {
        return nil
      }
      return BreakdownKey(dimension: "variant", value: variant)
    }
  }

  private static func values(
    _ tally: Tally, _ experiment: Int, by part: (CellKey) -> BreakdownKey?
  ) -> [(name: String, cells: ExperimentCells)] {
    let sums = sums(tally.cells, experiment, by: part)
    return sums.keys.sorted().map {
      ($0.value, ExperimentCells(sums[$0] ?? [:], tally.layout.count))
    }
  }

  /// The people of several parts together.
  package init(joining parts: [ExperimentCells], _ width: Int) {
    counts = parts.flatMap(\.counts)
    self.width = width
    strata = []
  }

  private init(_ sums: [Place: [Int]], _ width: Int, strata: [ExperimentCells] = []) {
    counts = sums.map { ($0.key.state, $0.key.period, $0.value) }
    self.width = width
    self.strata = strata
  }

  /// - Parameter part: which part of the people a cell is of; `nil` for none.
  private static func sums(
    _ cells: [CellKey: [Int]], _ experiment: Int, by part: (CellKey) -> BreakdownKey?
  ) -> [BreakdownKey: [Place: [Int]]] {
    var sums: [BreakdownKey: [Place: [Int]]] = [:]
    for (key, cell) in cells {
      guard let part = part(key) else { continue }
      let place = Place(
        state: key.group.variants[experiment], period: key.group.periods[experiment])
      var sum =
        sums[part, default: [:]].removeValue(forKey: place)
        ?? Array(repeating: 0, count: cell.count)
      for index in sum.indices { sum[index] += cell[index] }
      sums[part, default: [:]][place] = sum
    }
    return sums
  }

  private struct Place: Hashable {
    var state: VariantState
    var period: Int
  }

  /// The counters of everybody in some states, of one period or of all.
  package func sum(period: Int? = nil, where isIncluded: (VariantState) -> Bool) -> [Int] {
    var sum = [Int](repeating: 0, count: width)
    for cell in counts where (period ?? cell.period) == cell.period && isIncluded(cell.state) {
      for index in sum.indices { sum[index] += cell.counts[index] }
    }
    return sum
  }

  /// A rate of a variant and of the control, by period of one split.
  package func comparison(
    of rate: RateDefinition, _ variant: String, _ control: String, in experiment: Experiment
  ) -> StratifiedComparison {
    StratifiedComparison(
      strata: experiment.splits.indices.map { pair(rate, variant, control, $0) })
  }

  /// A rate within the values of the dimension that the experiment is stratified by, in each
  /// period those that have enough people.
  func postStrata(
    of rate: RateDefinition, _ variant: String, _ control: String, in experiment: Experiment
  ) -> [PostStrata] {
    experiment.splits.indices.map { period in
      PostStrata(strata.map { $0.pair(rate, variant, control, period) })
    }
  }

  private func pair(
    _ rate: RateDefinition, _ variant: String, _ control: String, _ period: Int
  ) -> ProportionComparison {
    // Only the counters of the rate are summed: there are thousands, and many rates and values.
    func proportion(_ variant: String) -> Proportion {
      var (successes, trials) = (0, 0)
      for cell in counts
      where cell.period == period && cell.state.isCounted && cell.state.assignedVariant == variant {
        for counter in rate.numerators { successes += cell.counts[counter] }
        trials += cell.counts[rate.denominator]
      }
      return Proportion(successes: successes, trials: trials)
    }
    return ProportionComparison(treatment: proportion(variant), control: proportion(control))
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
