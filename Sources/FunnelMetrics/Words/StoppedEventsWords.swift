internal import FlowDefinition
internal import FunnelEngine
internal import ReportText

/// What is said of dates of which nobody who started finished, saw a step or answered a permission,
/// where others do: in reports, by `validate`, by gates.
package struct StoppedEventsWords {
  package let run: StoppedEvents.Run
  /// A step's or a permission's name; `completion`.
  package let item: String
  /// `since 12 Feb 2026`, `from 9 Feb 2026 to 15 Feb 2026`
  package let dates: String
  /// What stands beside a count of the people in tables.
  package let note: String
  package let claim: String
  package let detail: String

  /// Of each run, in their order.
  ///
  /// - Parameter day: runs that end before it don't matter, since 1970-01-01.
  package static func all(_ analysis: Analysis, since day: Int = .min) -> [StoppedEventsWords] {
    analysis.stoppedEvents.filter { $0.days.upperBound >= day }.map {
      StoppedEventsWords($0, analysis.flow)
    }
  }

  private init(_ run: StoppedEvents.Run, _ flow: Flow) {
    self.run = run
    let days = run.days
    dates =
      run.goesOn
      ? "since \(DateText.day(days.lowerBound))"
      : "from \(DateText.day(days.lowerBound)) to \(DateText.day(days.upperBound))"
    let people = run.people == 1 ? "1 person" : "\(NumberText.grouped(run.people)) people"
    let usual = RateText.percent(run.usual)
    note = "people who started \(dates); nobody did, of others \(usual)"
    let beside = "of those in the four weeks before\(run.goesOn ? "" : " and after")"
    func title(_ step: Int) -> String { "“\(SafeText.name(flow.steps[step].title, limit: 60))”" }
    switch run.event {
    case .completion:
      item = "completion"
      if let step = run.blockingStep {
        claim = "Nobody who started \(dates) is seen to get past \(title(step))."
        detail = """
          None of these \(people) finished, and \(usual) \(beside) did. Does the step stop \
          everybody, or is nothing after it sent any more? Completion is too low by them.
          """
      } else {
        claim = "Nobody who started \(dates) finished."
        detail = """
          None of these \(people) did, and \(usual) \(beside), while the steps go on. Is \
          'onboarding_completed' still sent, or can nobody finish? Completion is too low by them.
          """
      }
    case .view(let step):
      item = flow.steps[step].id
      claim = "Nobody who started \(dates) saw \(title(step)), though people got further."
      detail = """
        None of the \(people) who got past it did, and \(usual) \(beside). Is the step no longer \
        shown, or its view no longer sent? Where people drop off is wrong until that is known.
        """
    case .answer(let permission):
      item = flow.permissions[permission]
      claim = """
        Nobody who started \(dates) and finished has a result for \
        '\(SafeText.name(item, limit: 40))'.
        """
      detail = """
        None of these \(people) has, and \(usual) \(beside). Is 'permission_result' still sent, or \
        is nobody asked any more? Opt-in is too low by them.
        """
    }
  }
}
