public import FlowDefinition
public import FunnelEngine

/// The tally's cells summed up to the slices of tables: {all, version, experiment and variant} ×
/// {all, cohort, one dimension}, in a fixed order.
public struct SliceTable: Sendable {
  /// The flow that the people were counted by.
  public let flow: Flow
  /// Which counter stands where in each slice's counters.
  public let layout: CounterLayout
  /// Slices not cut, in order: all, versions, then each experiment's variants.
  public let uncut: [Slice]
  /// Every slice with its counters.
  public private(set) var counts: [Slice: [Int]] = [:]
  /// Every slice in the order of output.
  public private(set) var slices: [Slice] = []

  /// Adds up the tally's cells.
  public init(_ tally: Tally, _ flow: Flow) {
    self.flow = flow
    layout = tally.layout
    uncut = SliceTable.uncutSlices(tally, flow)
    for slice in uncut { counts[slice] = Array(repeating: 0, count: layout.count) }
    for (key, cell) in tally.cells {
      for slice in SliceTable.slices(of: key, flow) {
        var sum = counts.removeValue(forKey: slice) ?? Array(repeating: 0, count: layout.count)
        for index in sum.indices { sum[index] += cell[index] }
        counts[slice] = sum
      }
    }
    let order = Dictionary(
      uniqueKeysWithValues: uncut.enumerated().map { ($0.element, $0.offset) })
    slices = counts.keys.sorted { left, right in
      let places = (order[left.uncut] ?? 0, order[right.uncut] ?? 0)
      if places.0 != places.1 { return places.0 < places.1 }
      return BreakdownOrder.isBefore(left.breakdown, right.breakdown, flow)
    }
  }

  /// A counter of a slice; 0 for a slice that nobody is in.
  public func count(_ slice: Slice, _ counter: Int) -> Int { counts[slice]?[counter] ?? 0 }

  /// The slices that a group of persons is in, for one breakdown.
  package static func slices(of cell: CellKey, _ flow: Flow) -> [Slice] {
    groupSlices(cell.group, flow).map { slice in
      var cut = slice
      cut.breakdown = cell.breakdown
      return cut
    }
  }

  /// All, the version, and the variant in each experiment.
  static func groupSlices(_ group: GroupKey, _ flow: Flow) -> [Slice] {
    var slices = [Slice.all, Slice(version: group.version)]
    for (experiment, state) in zip(flow.experiments, group.variants) {
      slices.append(Slice(experiment: experiment.id, variant: state.label))
    }
    return slices
  }

  private static func uncutSlices(_ tally: Tally, _ flow: Flow) -> [Slice] {
    let groups = Set(tally.cells.keys.map(\.group))
    var versions = flow.versions.map(\.name)
    if let newest = flow.newestVersion { versions.append(newest) }
    let seenVersions = sorted(Set(groups.map(\.version)).subtracting(versions))
    var slices = [Slice.all] + (versions + seenVersions).map { Slice(version: $0) }
    for (index, experiment) in flow.experiments.enumerated() {
      let declared = experiment.variants.map(\.id)
      var seen = Set(groups.flatMap { names($0.variants[index]) }).subtracting(declared)
      var labels = declared
      let special = [
        VariantState.contaminated([]), .notExposed(nil), .unassigned, .outside,
      ].map(\.label)
      let last = special.filter { seen.remove($0) != nil }
      labels += sorted(seen) + last
      slices += labels.map { Slice(experiment: experiment.id, variant: $0) }
    }
    return slices
  }

  /// The rows that a person's state has a part in.
  private static func names(_ state: VariantState) -> [String] {
    state.mixedVariants + [state.label]
  }

  private static func sorted(_ names: Set<String>) -> [String] {
    names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

/// The order in which breakdowns stand: all, cohorts, the flow's dimensions, used_skip, outcome.
enum BreakdownOrder {
  static func isBefore(_ left: BreakdownKey, _ right: BreakdownKey, _ flow: Flow) -> Bool {
    let places = (place(left, flow), place(right, flow))
    if places.0 != places.1 { return places.0 < places.1 }
    return left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
  }

  private static func place(_ key: BreakdownKey, _ flow: Flow) -> Int {
    switch key.dimension {
    case "all": 0
    case BreakdownKey.cohort: 1
    case BreakdownKey.usedSkip: 1_000_000
    case BreakdownKey.outcome: 1_000_001
    default: 2 + (flow.dimensions.firstIndex { $0.id == key.dimension } ?? 999_000)
    }
  }
}
