internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import ReportText

/// Looks for the people among whom a split went wrong: the app of one system, one release.
///
/// Where the split is off alike everywhere, the group of which it shows first is named by chance.
/// So a value is named only where the values of its dimension differ from each other.
struct SplitSegments {
  let table: SliceTable
  let tally: Tally
  let experiment: Int
  let isIncluded: (VariantState) -> Bool

  /// What was found, over all dimensions.
  struct Found {
    /// The segments that are off, those first that explain the whole mismatch, then the clearest.
    var segments: [SplitSegment] = []
    /// Dimensions whose values can be compared, and don't differ beyond chance.
    var alike: [String] = []
  }

  private typealias Counts = [BreakdownKey: [[Int]]]

  private var shares: [[Double]] { table.flow.experiments[experiment].splits }

  func found() -> Found {
    var counts = counts()
    guard let whole = counts.removeValue(forKey: .all) else { return Found() }
    // A value that everybody has says nothing of where.
    counts = counts.filter { $0.value != whole }
    let groups = Dictionary(grouping: counts.keys.sorted(), by: \.dimension)
    let compared = ByteOrder.sorted(groups.keys).compactMap { dimension in
      difference(groups[dimension, default: []].map { counts[$0] ?? [] }).map { (dimension, $0) }
    }
    let adjusted = MultipleTesting.holm.adjust(compared.map(\.1))
    let differing = Set(
      zip(compared, adjusted).filter { $1 < SplitSegment.alpha }.map(\.0.0))
    var found = Found()
    found.alike = compared.map(\.0).filter { !differing.contains($0) }
    found.segments = segments(counts, whole, differing)
    return found
  }

  /// The chance of values that are split as differently, if they are split alike; `nil` where there
  /// is nothing to compare. What is asked of cohorts is asked of values: those of few people are
  /// joined.
  private func difference(_ values: [[[Int]]]) -> Double? {
    let none = table.flow.experiments[experiment].variants.map { _ in 0 }
    let periods = shares.indices.map { period in
      values.map { $0.indices.contains(period) ? $0[period] : none }
    }
    return SplitDrift(periods: periods, isWatched: false)?.pValue
  }

  private func segments(
    _ counts: Counts, _ whole: [[Int]], _ differing: Set<String>
  ) -> [SplitSegment] {
    let tests = counts.keys.sorted().compactMap { key -> (key: BreakdownKey, p: Double)? in
      SampleRatio.check(periods: counts[key] ?? [], expectedShares: shares).value
        .map { (key, $0.pValue) }
    }
    let adjusted = MultipleTesting.holm.adjust(tests.map(\.p))
    let segments = zip(tests, adjusted).compactMap { test, adjusted -> SplitSegment? in
      guard adjusted < SplitSegment.alpha, differing.contains(test.key.dimension),
        let own = counts[test.key]
      else { return nil }
      let rest = zip(whole, own).map { zip($0, $1).map { $0 - $1 } }
      let p = SampleRatio.check(periods: rest, expectedShares: shares).value?.pValue
      return SplitSegment(
        dimension: test.key.dimension, value: test.key.value, pAdjusted: adjusted,
        explainsMismatch: (p ?? 0) >= SplitSegment.alpha)
    }
    // A stable order: keys are sorted, and the sort keeps the order of equals by their place.
    return segments.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if a.explainsMismatch != b.explainsMismatch { return a.explainsMismatch }
      return (a.pAdjusted, left.offset) < (b.pAdjusted, right.offset)
    }.map(\.element)
  }

  /// Of each value and of all, by the periods of one split, the people of every variant.
  private func counts() -> Counts {
    let dimensions = table.flow.dimensions.filter { !$0.isKnownLater }.map(\.id)
    var counts: Counts = [:]
    for (key, cell) in tally.cells {
      if dimensions.contains(key.breakdown.dimension) {
        add(cell, key.group, &counts, key.breakdown)
      }
      if key.breakdown == .all {
        add(cell, key.group, &counts, .all)
        // A release that assigns people wrongly.
        let version = BreakdownKey(dimension: "version", value: key.group.version)
        add(cell, key.group, &counts, version)
      }
    }
    return counts
  }

  private func add(
    _ cell: [Int], _ group: GroupKey, _ counts: inout Counts, _ key: BreakdownKey
  ) {
    let declared = table.flow.experiments[experiment]
    let state = group.variants[experiment]
    guard isIncluded(state),
      let variant = declared.variants.firstIndex(where: { $0.id == state.assignedVariant })
    else { return }
    let none = Array(
      repeating: Array(repeating: 0, count: declared.variants.count), count: declared.splits.count)
    counts[key, default: none][group.periods[experiment]][variant] +=
      cell[table.layout[.entered]]
  }
}
