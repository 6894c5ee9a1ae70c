import FlowDefinition

/// Which ways a person took between the steps of their list, and what they did next where they
/// dropped off (definitions 7).
struct Whereabouts {
  /// `(entry)` or a step, and a step or how the attempt ended.
  struct Way: Hashable {
    var from: String
    var to: String
    var isReturn: Bool
  }

  let flow: Flow
  let attempt: Attempt
  let steps: StepStanding

  /// Views of steps of the person's own list, in order.
  private var views: [(step: Int, time: Int64)] {
    attempt.onboarding.compactMap { placed in
      guard placed.kind == .viewed, let step = placed.page.step, steps.position(step) != nil else {
        return nil
      }
      return (step, placed.time)
    }
  }

  private func name(_ step: Int?) -> String { step.map { flow.steps[$0].id } ?? "(entry)" }

  /// Each once, however often the person took it.
  var ways: Set<Way> {
    let resumes = attempt.resumeInstants.map { attempt.onboarding[$0].time }
    var ways: Set<Way> = []
    var before: (step: Int, time: Int64)?
    for view in views {
      let hasResumed = resumes.contains { resume in
        before.map { resume > $0.time && resume <= view.time } ?? false
      }
      if hasResumed || before?.step != view.step {
        ways.insert(Way(from: name(before?.step), to: name(view.step), isReturn: hasResumed))
      }
      before = view
    }
    let end =
      attempt.isFinished ? "(finished)" : attempt.outcome == .skipped ? "(skipped)" : "(abandoned)"
    ways.insert(Way(from: name(before?.step), to: end, isReturn: false))
    return ways
  }

  /// Of a person who dropped off: the step, the next event, and how long after the last view of
  /// the step.
  var next: (step: String, event: String, milliseconds: Int64?)? {
    if attempt.isFinished { return nil }
    let furthest = steps.list.last(where: steps.viewed)
    let left = views.last { $0.step == furthest }?.time ?? attempt.entry
    let next = attempt.timeline.first { placed in
      guard placed.time > left, placed.time <= attempt.windowEnd else { return false }
      return placed.isOnboarding
        ? placed.kind == .started || placed.kind == .viewed
        : !flow.notActivity.contains(placed.fact.name)
    }
    guard let next else { return (name(furthest), "(none)", nil) }
    let page = next.kind == .viewed ? next.page.step : nil
    let event = next.fact.name + (page.map { "=" + flow.steps[$0].id } ?? "")
    return (name(furthest), event, next.time - left)
  }
}
