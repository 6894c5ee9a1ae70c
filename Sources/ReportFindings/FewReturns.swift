internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// A retention that says what was sent, and not who came back: nothing but onboarding events, or
/// hardly anybody with an event on a later date, be it of one session that passes midnight.
struct FewReturns {
  let analysis: Analysis

  /// Of so many people one with a later date is no sign that returns are recorded.
  private static let leastShare = 100

  /// Whether no event that counts as a return is in the data, but the onboarding's own.
  private var hasOnlyOnboarding: Bool {
    let names = analysis.tally.quality.eventNames
    let own = OnboardingEventNames.all + analysis.flow.notActivity
    return !names.isEmpty && names.isSubset(of: own)
  }

  func draft() -> FindingDraft? {
    let quality = analysis.tally.quality
    let persons = analysis.slices.count(.all, analysis.slices.layout[.persons])
    let later = quality.personsSeenLater
    guard later > 0, let measure = RetentionMeasure.telling(analysis), measure.pattern == nil,
      analysis.row(.retention(measure))?.value != nil
    else { return nil }
    let words = measure.words.capitalizedFirst
    if hasOnlyOnboarding {
      return FindingDraft(
        kind: .fewReturns, tone: .alarm,
        claim: "\(words) says nothing about who came back.",
        detail: """
          All events in these data belong to the onboarding, so later visits are not in them. \
          \(NumberText.grouped(later)) of \(NumberText.grouped(persons)) people have an event on \
          a later date than their first, and one session that passes midnight is enough for that.
          """, chart: .quality)
    }
    guard later * Self.leastShare < persons else { return nil }
    return FindingDraft(
      kind: .fewReturns, tone: .alarm,
      claim: "\(words) rests on hardly anybody.",
      detail: """
        \(NumberText.grouped(later)) of \
        \(NumberText.grouped(persons)) people have an event on a later date than their first, and \
        one session that passes midnight is enough for that. Are later visits in the dump?
        """, chart: .quality)
  }
}
