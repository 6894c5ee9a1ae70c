internal import FlowDefinition
internal import FunnelEngine

extension SliceTable {
  /// Whether anybody used skip, or could have: nobody can in a flow with `skip: never`, and its
  /// zeros would be numbers of nothing.
  var hasSkips: Bool { !flow.neverSkips || count(.all, layout[.usedSkip]) > 0 }
}

extension Analysis {
  /// Whether anybody used skip, or could have.
  package var hasSkips: Bool { slices.hasSkips }

  /// Whether attempts end by skipping, so that some outcomes are of skips.
  package var endsBySkipping: Bool { flow.skip == .ends && hasSkips }

  /// What a reader is shown of an experiment's comparisons: rates of skips only where any are.
  package func shown(_ comparisons: [MetricComparison]) -> [MetricComparison] {
    hasSkips ? comparisons : comparisons.filter { !RecordedRows.skipRates.contains($0.metric) }
  }
}
