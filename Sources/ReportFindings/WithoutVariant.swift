internal import FlowDefinition
internal import FunnelEngine
package import FunnelMetrics
internal import ReportText

/// The people of everyone who are in no variant of an experiment: why everyone's number may lie
/// outside of both variants'.
package struct WithoutVariant {
  package let people: Int
  /// The version of the flow that most of them have, where there are several.
  private let version: (name: String, people: Int)?

  /// `nil` where everyone has a variant.
  package init?(_ analysis: Analysis, experiment: String) {
    let flow = analysis.flow
    guard let index = flow.experiments.firstIndex(where: { $0.id == experiment }) else {
      return nil
    }
    let persons = analysis.slices.layout[.persons]
    var counts: [String: Int] = [:]
    for (key, own) in analysis.tally.cells
    where key.breakdown == .all && key.group.variants[index] == .unassigned {
      counts[key.group.version, default: 0] += own[persons]
    }
    people = counts.values.reduce(0, +)
    guard people > 0 else { return nil }
    let most = ByteOrder.sorted(counts.keys).max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }
    version =
      analysis.seenVersions.count > 1 ? most.map { ($0, counts[$0] ?? 0) } : nil
  }

  /// `the other 103`
  package var who: String { "the other \(NumberText.grouped(people))" }

  /// ` (100 with flow version 1)`; empty where there is but one.
  package var which: String {
    guard let version else { return "" }
    return " (\(NumberText.grouped(version.people)) with flow version "
      + "\(SafeText.name(version.name, limit: 24)))"
  }

  /// ` have no variant`
  package var lack: String { people == 1 ? " has no variant" : " have no variant" }
}
