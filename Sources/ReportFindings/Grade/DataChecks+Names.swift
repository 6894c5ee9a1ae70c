internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// What is declared and never there, and what is there and not declared.
extension DataChecks {
  /// What a draft has guessed: nothing in the data shows whether it is right.
  var definitions: [ValidationCheck] {
    guard let guess = GuessedSentence(analysis.flow) else { return [] }
    let sentence = "\(guess.claim) \(guess.detail)"
    return [
      ValidationCheck(
        .guessedDefinitions, count: analysis.flow.guessed.count, total: nil,
        note: "read the flow file, then delete its line 'guessed'", sentence: sentence)
    ]
  }

  var pages: [ValidationCheck] {
    let undeclared = UndeclaredPages(quality, of: analysis.flow)
    let (unknown, views) = (undeclared.count, undeclared.viewsOfPages)
    let all = quality.factsWithPage
    func percent(_ count: Int, of total: Int) -> String {
      RateText.percent(total == 0 ? 0 : Double(count) / Double(total))
    }
    let permissions = quality.undeclaredPermissions
    return [
      ValidationCheck(
        .undeclaredPages, count: unknown, total: views,
        note: "views of pages the flow does not declare",
        sentence: "\(percent(unknown, of: views)) of the page views are of "
          + "\(CountText.of(undeclared.views.count, "page")) that the flow does not declare."
      ),
      ValidationCheck(
        .ambiguousPages, count: quality.ambiguousPages, total: all,
        note: "a number that fits several lists: no step",
        sentence: "\(percent(quality.ambiguousPages, of: all)) of the events with a page have a "
          + "number that fits several lists of steps: they count for no step."),
      ValidationCheck(
        .pageConflicts, count: quality.pageConflicts, total: all,
        note: "name and number disagree: the name wins; check counts_from",
        sentence:
          "In \(percent(quality.pageConflicts, of: all)) of the events with a page name and number "
          + "disagree; the name counts."),
      skips,
      ValidationCheck(
        .undeclaredPermissions, count: permissions, total: nil,
        note: "prompts and answers for permissions the flow does not declare",
        sentence: "\(NumberText.grouped(permissions)) prompts and answers are for permissions that "
          + "the flow does not declare."),
    ] + unknownValues + steps
  }

  /// Words in the place of a permission's status or a completion's method that no definition knows:
  /// such results decide nothing, and such completions count as finished.
  private var unknownValues: [ValidationCheck] {
    UnknownValues.all(quality, of: analysis.flow).map { unknown in
      ValidationCheck(
        unknown.condition, count: unknown.count, total: unknown.total, note: unknown.note,
        sentence: unknown.sentence)
    }
  }

  private var skips: ValidationCheck {
    let (wrong, all) = (quality.skipPageConflicts, quality.numberedSkips)
    let setting = PageNumbering(flow: analysis.flow, quality: quality).skipSetting
    let hint = setting.map { "; with \($0) most would agree" } ?? ""
    return ValidationCheck(
      .skipContradictions, count: wrong, total: all,
      note: "skips whose number is not the page viewed last" + hint,
      sentence: "\(NumberText.grouped(wrong)) of \(NumberText.grouped(all)) skips with a number "
        + "name another page than the one viewed last\(hint).")
  }

  private var steps: [ValidationCheck] {
    let flow = analysis.flow
    // Without any view the steps are unknown, which another check reports.
    guard quality.viewsOfStep.reduce(0, +) > 0 else { return [] }
    let unseen = zip(flow.steps, quality.viewsOfStep).filter { $1 == 0 }.map(\.0)
    let mandatory = unseen.filter { !$0.isOptional && $0.branchOf == nil }
    let names = unseen.prefix(3).map { SafeText.name($0.id, limit: 40) }.joined(separator: ", ")
    let more = unseen.count > 3 ? " and \(unseen.count - 3) more" : ""
    let note = "declared, and in no event: renamed, or not sent?"
    let sentence = "Declared but never seen: \(names)\(more)."
    if mandatory.isEmpty {
      return [
        ValidationCheck(
          .stepsNeverSeen, count: unseen.count, total: flow.steps.count, note: note,
          sentence: sentence)
      ]
    }
    return [
      ValidationCheck(check: "steps_never_seen", count: unseen.count, total: flow.steps.count),
      ValidationCheck(
        .mandatoryStepsNeverSeen, count: mandatory.count, total: flow.steps.count, note: note,
        sentence: sentence),
    ]
  }

  /// Names of events that look like onboarding events but are none.
  var events: [ValidationCheck] {
    let canonical = OnboardingEventNames.all
    let flow = analysis.flow
    let declared = Set(canonical + flow.eventPatterns.map(\.event) + flow.notActivity)
    let names = ByteOrder.sorted(quality.eventNames).filter { !declared.contains($0) }
    return names.compactMap { name in
      guard let meant = OnboardingEventNames.meant(by: name) else { return nil }
      let shown = SafeText.name(name, limit: 40)
      return ValidationCheck(
        .undeclaredEvent, item: name, count: max(1, factsOfEvent[name] ?? 1), total: nil,
        note: "is it \(meant)? map it with events:",
        sentence: "The event '\(shown)' is not declared: is it \(meant)?")
    }
  }
}

/// The seven events that make an onboarding.
enum OnboardingEventNames {
  static let all = [
    "onboarding_started", "permission_prompted", "onboarding_page_viewed",
    "onboarding_step_skipped", "permission_result", "onboarding_skipped", "onboarding_completed",
  ]

  /// Which of them a name was probably meant to be, in words; `nil` of any other name.
  static func meant(by name: String) -> String? {
    let name = name.lowercased()
    return NearestSpelling.of(name, among: all)
      ?? (name.contains("onboarding") ? "an onboarding event" : nil)
  }
}
