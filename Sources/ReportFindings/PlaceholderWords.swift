internal import FunnelMetrics
internal import ReportText

/// What is said of texts that stand where an id is missing, in reports and by `validate`.
struct PlaceholderWords {
  let count: Int
  /// Which they are, the most frequent first.
  let note: String
  let claim: String
  let detail: String

  /// `nil` where there are none.
  init?(_ provenance: Provenance) {
    let counts = provenance.placeholders.sorted {
      ($1.value, $0.key) < ($0.value, $1.key)
    }
    guard let most = counts.first else { return nil }
    count = counts.reduce(0) { $0 + $1.value }
    let shown = counts.prefix(3).map { "'\($0.key)' (\(NumberText.grouped($0.value)))" }
    let more = counts.count > 3 ? ", and \(counts.count - 3) more" : ""
    note = shown.joined(separator: ", ") + more
    let share = RateText.percent(Double(count) / Double(max(1, provenance.lines)))
    claim = "\(share) of the events have a placeholder for an id, most often '\(most.key)'."
    detail = """
      It counts as a missing id: \(note). Those events belong to their device, or to nobody. \
      Find out where the app sends it.
      """
  }
}
