internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// What a report is held against: another report, a baseline, or the period before its own.
public struct EarlierNumbers: Sendable {
  /// What they are called: `1 Feb – 28 Feb 2026`, `reports/january`.
  public let name: String
  /// Those numbers beside the report's own, as before and after.
  public let comparison: RunComparison
  /// Days before its first entry that the report was counted again with; `nil` where the later
  /// numbers are its own.
  package let sharedLookBackDays: Int?

  /// - Parameters:
  ///   - earlier: read back from its file.
  ///   - report: whose numbers are the later ones.
  ///   - recount: the report's own period with the look-back of the earlier numbers, where its own
  ///     look-back is longer.
  ///   - areOtherPeriods: both are of one dump, and hardly anybody counts in both.
  /// - Throws: ``RecordedReportError`` where a count of the report is beyond all bounds.
  public init(
    _ earlier: RecordedReport, of report: Report, recount: Report? = nil, name: String,
    areOtherPeriods: Bool = false
  ) throws(RecordedReportError) {
    self.name = name
    sharedLookBackDays = recount?.provenance.lookBack?.days
    comparison = RunComparison(
      earlier, try RecordedReport(recount ?? report), areOtherPeriods: areOtherPeriods)
  }

  /// What a reader must know of the comparison; each a whole sentence or two.
  package var notes: [String] {
    guard let days = sharedLookBackDays else { return comparison.notes }
    let note =
      "Both periods are counted as if the data began \(LookBack(days: days).beginning), as they do "
      + "for the earlier one, so the numbers here can differ from those in the rest of the report."
    return [note] + comparison.notes
  }

  package typealias Change = RunComparison.Change

  /// What a reader looks for first, and whatever is shown to have changed, in the report's order.
  package func leading(_ analysis: Analysis) -> [Change] {
    let telling = RetentionMeasure.telling(analysis).map { MetricName.retention($0) }
    return comparison.changes.filter { change in
      [.completionRate, .skipRate, .abandonRate, telling].contains(change.metric)
        || comparison.isShown(change)
    }
  }

  /// Completion, if it is shown to have changed.
  package var completion: Change? {
    comparison.changes.first { $0.metric == .completionRate && comparison.isShown($0) }
  }

  /// What a change is taken apart into by all dimensions at once, or by the only one.
  package func cause(of change: Change) -> MixAndRate? {
    zip(comparison.changes, comparison.causes).first {
      $0.0.metric == change.metric && $0.0.step == change.step
    }?.1.first
  }
}
