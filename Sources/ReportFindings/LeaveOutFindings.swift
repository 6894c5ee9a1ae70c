package import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What the flow file's `leave_out` comes to: so many people that it may match others than testers,
/// or something that no event has.
package struct LeaveOutFindings {
  let analysis: Analysis
  /// Of days that were looked at for themselves, in which no tester may have been there.
  let isOfPart: Bool
  private var quality: QualityCounts { analysis.tally.quality }

  /// So many people are more than a team and its tests.
  static let bound = 0.1

  /// The marks of which no event has the name and the properties: whether they leave anybody out is
  /// not known.
  static func neverSeen(_ analysis: Analysis) -> [PersonMark] {
    let quality = analysis.tally.quality
    return zip(analysis.flow.leaveOut.marks, quality.askedByMark).filter { $1 == 0 }.map(\.0)
  }

  /// `no event has 'is_internal'`
  package static func missing(_ mark: PersonMark) -> String {
    let names = mark.conditions.map { "'\(SafeText.name($0.property, limit: 40))'" }.listed
    guard let event = mark.event else { return "no event has \(names)" }
    let shown = "'\(SafeText.name(event, limit: 40))'"
    return "no event \(shown)\(mark.conditions.isEmpty ? "" : " with \(names)") is in the data"
  }

  func drafts() -> [FindingDraft] { [many(), unseen()].compactMap { $0 } }

  private func many() -> FindingDraft? {
    let all = analysis.everybody
    guard quality.leftOut > 0, Double(quality.leftOut) > Self.bound * Double(all) else {
      return nil
    }
    let most = zip(analysis.flow.leaveOut.marks, quality.leftOutByMark).max { $0.1 < $1.1 }
    let words = most.map { mark, count in
      ", \(NumberText.grouped(count)) of them by \(SafeText.name(mark.described, limit: 60))"
    }
    return FindingDraft(
      kind: .leaveOut, tone: .alarm,
      claim: """
        \(Sentence(quality: quality.leftOut, "left_out")) of \(NumberText.grouped(all)) people are \
        left out by the flow file
        """,
      detail: """
        (leave_out)\(words ?? ""). Does it match others than the team and its tests?
        """, chart: .quality)
  }

  private func unseen() -> FindingDraft? {
    let marks = Self.neverSeen(analysis)
    guard !isOfPart, let first = marks.first, analysis.everybody > 0 else { return nil }
    let more = marks.count > 1 ? " (and \(marks.count - 1) more)" : ""
    return FindingDraft(
      kind: .leaveOut, tone: .bad,
      claim: """
        Whether leave_out misses anybody is not known: \(Self.missing(first))\(more).
        """,
      detail: """
        Is it called otherwise, or sent by no version of the app? Testers whom nothing else marks \
        are counted as people.
        """, chart: .quality)
  }
}
