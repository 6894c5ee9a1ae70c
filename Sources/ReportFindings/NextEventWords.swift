package import FlowDefinition
package import FunnelMetrics
internal import ReportText

/// What people did next who dropped off, in the words of all surfaces.
package struct NextEventWords {
  package let analysis: Analysis

  package init(analysis: Analysis) {
    self.analysis = analysis
  }

  private var flow: Flow { analysis.flow }

  /// How long people are watched for: `a day`, `3 days`, `2 h`.
  package var window: String {
    let (days, rest) = flow.windowMilliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    if rest != 0 || days < 1 { return RateText.duration(Double(flow.windowMilliseconds) / 1000) }
    return days == 1 ? "a day" : "\(days) days"
  }

  /// `back to Welcome`, `started again`, `app opened`, `nothing more within a day`
  package func title(_ event: String) -> String {
    switch event {
    case NextEventRows.none: return "nothing more within \(window)"
    case NextEventRows.other: return "other events"
    case "onboarding_started": return "started again"
    case "onboarding_page_viewed": return "viewed another page"
    default: break
    }
    for step in flow.steps where event == NextEventRows.view(step.id) {
      return "back to \(SafeText.name(step.title, limit: 60))"
    }
    return SafeText.name(PlainName.of(event), limit: 60)
  }

  /// `Of the 22 people who dropped off at Profile, 12 did nothing more within a day. Next
  /// events of the others: app opened (5, median after 3 h 10 min), back to Welcome (2, …).`
  package func sentence(_ step: Step) -> Sentence? {
    let events = analysis.nextEvents(after: step.id, in: .all)
    guard let all = events.first?.count else { return nil }
    let none = events.first { $0.event == NextEventRows.none }
    let others = events.filter { $0.event != NextEventRows.none }.map { next -> Sentence in
      let time = next.median.map { median -> Sentence in
        ", median after \(median.saidDuration)"
      }
      return "\(title(next.event)) (\(next.count.saidCount)\(time ?? ""))"
    }
    let people: Sentence =
      all.row.denominator == 1 ? "the one person" : "the \(all.saidTotal) people"
    let some: Sentence =
      all.row.denominator == 1 ? "did something else" : "all did something else"
    let did: Sentence = none.map { "\($0.count.saidCount) did nothing more" } ?? some
    var text: Sentence = """
      Of \(people) who dropped off at \(SafeText.name(step.title, limit: 60)), \
      \(did) within \(window).
      """
    if !others.isEmpty {
      text += " Next events\(none == nil ? "" : " of the others"): "
      text += others.joined(separator: ", ") + "."
    }
    return text
  }
}
