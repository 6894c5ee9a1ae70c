internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Looks for the people among whom a split went wrong: the app of one system, one release.
struct SplitSegments {
  let table: SliceTable
  let tally: Tally
  let experiment: Int
  let isIncluded: (VariantState) -> Bool

  /// The segments that are off, those first that explain the whole mismatch, then the clearest.
  func found() -> [SplitSegment] {
    let flow = table.flow
    let dimensions = flow.dimensions.filter { !$0.isKnownLater }.map(\.id)
    var counts: [BreakdownKey: [[Int]]] = [:]
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
    guard let whole = counts.removeValue(forKey: .all) else { return [] }
    let shares = flow.experiments[experiment].splits
    // A value that everybody has says nothing of where.
    let keys = counts.keys.filter { counts[$0] != whole }.sorted()
    let tests = keys.compactMap { key -> (key: BreakdownKey, p: Double)? in
      SampleRatio.check(periods: counts[key] ?? [], expectedShares: shares).value
        .map { (key, $0.pValue) }
    }
    let adjusted = MultipleTesting.holm.adjust(tests.map(\.p))
    let segments = zip(tests, adjusted).compactMap { test, adjusted -> SplitSegment? in
      guard adjusted < SplitSegment.alpha, let own = counts[test.key] else { return nil }
      let rest = zip(whole, own).map { zip($0, $1).map { $0 - $1 } }
      let p = SampleRatio.check(periods: rest, expectedShares: shares).value?.pValue
      return SplitSegment(
        dimension: test.key.dimension, value: test.key.value, pAdjusted: adjusted,
        explainsMismatch: (p ?? 0) >= ExperimentDoubt.sampleRatioAlpha)
    }
    // A stable order: keys are sorted, and the sort keeps the order of equals by their place.
    return segments.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if a.explainsMismatch != b.explainsMismatch { return a.explainsMismatch }
      return (a.pAdjusted, left.offset) < (b.pAdjusted, right.offset)
    }.map(\.element)
  }

  private func add(
    _ cell: [Int], _ group: GroupKey, _ counts: inout [BreakdownKey: [[Int]]], _ key: BreakdownKey
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
