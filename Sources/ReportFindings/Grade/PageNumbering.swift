internal import FlowDefinition
internal import FunnelEngine

/// Whether an app counts pages otherwise than its flow file says, and which setting would reconcile
/// the two.
struct PageNumbering {
  let flow: Flow
  let quality: QualityCounts

  /// The setting under which the numbers of skips would name the page viewed last, for most of
  /// those that don't; `nil` where another first number would not help.
  var skipSetting: String? {
    let (early, late) = (quality.skipPagesOneEarly, quality.skipPagesOneLate)
    guard 2 * max(early, late) > quality.skipPageConflicts else { return nil }
    // A place that is one too small was counted from a number that is one too large.
    let base = flow.skipsCountFrom + (early > late ? -1 : 1)
    return (0...1).contains(base) ? "skips_count_from: \(base)" : nil
  }

  /// The setting under which page numbers that no list has would be pages: 0 where the flow counts
  /// from 1, or the number behind the last where it counts from 0.
  var pageSetting: String? {
    let longest = ([flow.defaultList] + flow.versions.map(\.steps)).map(\.count).max() ?? 0
    let label = flow.countsFrom == 1 ? "#0" : "#\(longest)"
    return quality.undeclaredPages[label] == nil ? nil : "counts_from: \(1 - flow.countsFrom)"
  }
}
