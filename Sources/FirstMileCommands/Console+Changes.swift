import EventInput
import ReportText

extension Console {
  /// Logs of changes, in which a row is there as it came and as it is since.
  static func tellChanges(of summaries: [SourceSummary]) {
    for summary in summaries {
      let gone = summary.rejectsByReason[.deletedByLog] ?? 0
      let parts = [
        gone > 0 ? "\(CountText.of(gone, "row")) that \(gone == 1 ? "was" : "were") deleted" : nil,
        summary.changedRows > 0
          ? "\(CountText.of(summary.changedRows, "row")) that "
            + "\(summary.changedRows == 1 ? "was" : "were") changed" : nil,
      ].compactMap(\.self)
      if parts.isEmpty { continue }
      message(
        "\(summary.name): a log of changes, it has \(parts.joined(separator: " and ")) after they "
          + "came; what it says of them before counts as well, unless it is the same: read the "
          + "table and not its log")
    }
  }
}
