internal import FunnelEngine

/// The counters of everybody by where they stand in one experiment, and by period.
struct ExperimentCells {
  private let counts: [(state: VariantState, period: Int, counts: [Int])]
  private let width: Int

  init(_ tally: Tally, experiment: Int) {
    var sums: [Place: [Int]] = [:]
    for (key, cell) in tally.cells where key.breakdown == .all {
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
    case .assigned(let name), .first(let name, of: _), .notExposed(let name): name
    case .unassigned, .outside, .contaminated: nil
    }
  }
}
