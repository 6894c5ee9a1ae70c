import EventInput
import FirstMileStore
import ReportText

/// Sources of a store with more rejected lines than are accepted: they count until a corrected file
/// takes their place, or until they are taken out.
struct RejectedSources {
  private static let namedSources = 3

  private let store: String
  /// The one with the most first.
  private let sources: [StoredSource]

  /// `nil` where dumps were read, or no source has more than its share.
  init?(_ dump: AnalysisRun.Dump, store: String?, above share: Double) {
    guard let store, let snapshot = dump.snapshot else { return nil }
    let rejected = snapshot.sources.filter {
      $0.replacedBy == nil && Double($0.summary.faults) > share * Double($0.summary.lines)
    }
    if rejected.isEmpty { return nil }
    self.store = store
    sources = rejected.sorted { ($1.summary.rejects, $0.id) < ($0.summary.rejects, $1.id) }
  }

  /// Which they are, and what to do about them.
  var words: String {
    let named = sources.prefix(Self.namedSources).map {
      "'\($0.summary.name)' (source \($0.id)), \($0.summary.rejects) of "
        + CountText.of($0.summary.lines, "line")
    }
    let rest = sources.count - named.count
    let drop = (["firstmile", "store", "drop", store] + sources.map { String($0.id) })
      .map(ShellText.word).joined(separator: " ")
    return ": \(named.joined(separator: "; "))\(rest > 0 ? "; and \(rest) more" : ""). A "
      + "corrected file takes the place of what its path gave with `firstmile ingest --again`; "
      + "`\(drop)` takes out what can't be mended, with the events that were read of it"
  }
}
