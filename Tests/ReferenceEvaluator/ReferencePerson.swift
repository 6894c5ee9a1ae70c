import FlowDefinition

/// Everything the rules say of one person who entered, in one attempt: what they add to the rows
/// of each slice they are in.
struct ReferencePerson {
  /// A metric and its step.
  struct Cell: Hashable {
    var metric: String
    var step: String
  }
  /// What a person adds to a row; the denominator is `nil` in counts.
  struct Share: Hashable {
    var numerator: Int
    var denominator: Int?
    /// The row whose denominator (or, of a count, numerator) is this row's denominator.
    var denominatorCell: Cell?
  }

  let flow: Flow
  let attempt: Attempt
  let assignments: [String: Assignment]
  let steps: StepStanding
  let goals: GoalStanding
  let cohort: String
  let hasFunnels: Bool
  /// When the dates begin that the data miss.
  let missingDates: [Int64]
  /// What the person adds, cell by cell.
  private(set) var shares: [Cell: Share] = [:]
  /// Metric, step and milliseconds of everything that is timed.
  private(set) var times: [(cell: Cell, milliseconds: Int64)] = []

  init(
    flow: Flow, attempt: Attempt, cohort: CohortUnit, hasFunnels: Bool, missingDates: [Int64]
  ) {
    self.flow = flow
    self.missingDates = missingDates
    self.hasFunnels = hasFunnels
    self.attempt = attempt
    var assignments: [String: Assignment] = [:]
    var variants: [String: String] = [:]
    for experiment in flow.experiments {
      let assignment = Assignment(experiment, attempt: attempt)
      assignments[experiment.id] = assignment
      // Whether the person is in the experiment changes nobody's list.
      if case .variant(let id) = Assignment.variant(of: attempt, in: experiment) {
        variants[experiment.id] = id
      }
    }
    self.assignments = assignments
    let list = PageReader(flow: flow).list(version: attempt.version, variants: variants)
    steps = StepStanding(attempt: attempt, list: list)
    goals = GoalStanding(attempt: attempt)
    self.cohort = ReferenceTime.cohort(attempt.entry, unit: cohort, timeZone: flow.timeZone)
    shares = allShares
    times = allTimes
  }

  /// `dimension=value` for every dimension.
  var breakdowns: [String] {
    let outcome =
      attempt.outcome == .abandoned && !attempt.isMature ? "(open)" : attempt.outcome.rawValue
    return flow.dimensions.map { "\($0.id)=\(attempt.dimension($0))" }
      + ["used_skip=\(attempt.usedSkip ? "yes" : "no")", "outcome=\(outcome)"]
  }

  private var allShares: [Cell: Share] {
    var shares: [Cell: Share] = [:]
    func count(_ metric: String, _ counts: Bool) {
      shares[Cell(metric: metric, step: "all")] = Share(numerator: counts ? 1 : 0)
    }
    func rate(_ metric: String, _ step: String, _ counts: Bool, of isCounted: Bool) {
      shares[Cell(metric: metric, step: step)] = Share(
        numerator: counts && isCounted ? 1 : 0, denominator: isCounted ? 1 : 0)
    }
    count("entered", true)
    count("persons", attempt.isMature)
    count("immature", !attempt.isMature)
    addFunnels(rate)
    guard attempt.isMature else { return shares }
    for outcome in [Attempt.Outcome.finished, .finishedAfterSkipping, .skipped, .abandoned] {
      count(outcome.rawValue, attempt.outcome == outcome)
    }
    count("resumed", attempt.isResumed)
    count("replayed", attempt.isReplayed)
    count("completed_late", attempt.isCompletedLate)
    rate("completion_rate", "all", attempt.isFinished, of: true)
    if flow.skip == .ends { rate("skip_rate", "all", attempt.outcome == .skipped, of: true) }
    rate("abandon_rate", "all", attempt.outcome == .abandoned, of: true)
    rate("used_skip_rate", "all", attempt.usedSkip, of: true)
    let inPlace = attempt.resumedInPlace(steps.list)
    rate("resumed_in_place", "all", inPlace == true, of: inPlace != nil)
    addSteps(rate)
    addPermissions(rate)
    addGoals(rate)
    shares.merge(joint) { $1 }
    shares.merge(goalValues) { $1 }
    return shares
  }

  typealias Rate = (_ metric: String, _ step: String, _ counts: Bool, _ isCounted: Bool) -> Void

  private func addSteps(_ rate: Rate) {
    let isSkip = attempt.outcome == .skipped
    for (index, step) in flow.steps.enumerated() {
      let holds = steps.position(index) != nil
      let viewed = steps.viewed(index)
      let left = steps.leftHere(index)
      rate("step_reach", step.id, viewed, holds)
      rate("step_bypassed", step.id, steps.bypassed(index), holds)
      rate("step_conversion", step.id, steps.advanced(index), viewed)
      rate("step_completion", step.id, attempt.isFinished, viewed)
      rate("step_drop_off", step.id, left, viewed)
      rate("step_left_skipping", step.id, left && isSkip, viewed)
      rate("step_abandoned", step.id, left && !isSkip, viewed)
      rate(
        "step_abandoned_after_denial", step.id, left && !isSkip && attempt.endsWithDenial, viewed)
      rate("step_went_back", step.id, steps.wentBack(index), viewed)
      rate("step_declined", step.id, steps.declined(index), viewed)
      if let parent = step.branchOf {
        rate("branch_taken", step.id, viewed, holds && steps.viewed(parent))
      }
      rate("skip_share", step.id, attempt.firstSkipPage == index, attempt.usedSkip)
    }
    rate("skip_share", "(unknown)", attempt.firstSkipPage == nil, attempt.usedSkip)
    let left = steps.leftAtEntry
    rate("step_drop_off", "(entry)", left, true)
    rate("step_left_skipping", "(entry)", left && isSkip, true)
    rate("step_abandoned", "(entry)", left && !isSkip, true)
    rate(
      "step_abandoned_after_denial", "(entry)", left && !isSkip && attempt.endsWithDenial, true)
  }

  private func addPermissions(_ rate: Rate) {
    let standings = flow.permissions.map { PermissionStanding(attempt: attempt, permission: $0) }
    for standing in standings {
      let id = standing.permission
      rate("permission_opt_in", id, standing.isGranted, true)
      rate("permission_reach", id, standing.isReached, true)
      rate("permission_acceptance", id, standing.isAccepted, standing.isReached)
      rate("permission_left_after_denial", id, standing.leftAfterDenial, standing.name == "denied")
      rate("permission_recovered", id, standing.isRecovered, standing.isMatureForRecovery)
    }
  }

  /// Classes of every two permissions, in the flow's order.
  private var joint: [Cell: Share] {
    var shares: [Cell: Share] = [:]
    let classes = flow.permissions.map {
      "\($0)=\(PermissionStanding(attempt: attempt, permission: $0).name)"
    }
    for (index, first) in classes.enumerated() {
      for second in classes.dropFirst(index + 1) {
        shares[Cell(metric: "permission_joint", step: "\(first),\(second)")] = Share(
          numerator: 1, denominatorCell: Cell(metric: "persons", step: "all"))
      }
    }
    return shares
  }

  /// The values that goals are split by.
  private var goalValues: [Cell: Share] {
    var shares: [Cell: Share] = [:]
    for goal in flow.goals where goals.isCounted(for: goal, steps: steps) {
      if let property = goal.value {
        shares[Cell(metric: "goal_value_total", step: goal.id)] = Share(
          numerator: goals.amount(goal, property), denominator: 1)
        if goal.countsAmountPerEvent {
          shares[Cell(metric: "goal_value_per_event", step: goal.id)] = Share(
            numerator: goals.amount(goal, property),
            denominator: goals.amountCount(goal, property))
        }
      }
      guard let by = goal.by, let value = goals.value(goal, by: by) else { continue }
      shares[Cell(metric: "goal_rate", step: "\(goal.id):\(value)")] = Share(
        numerator: 1, denominatorCell: Cell(metric: "goal_rate", step: goal.id))
    }
    return shares
  }

  private func addGoals(_ rate: Rate) {
    for goal in flow.goals {
      let isCounted = goals.isCounted(for: goal, steps: steps)
      let reached = goals.reached(goal)
      rate("goal_rate", goal.id, reached != nil, isCounted)
      if !flow.isRandomised(goal) {
        let end = goals.latest(goal.anchor) + goal.withinMilliseconds
        let counts = isCounted && reached != nil && goals.isInTime(goal.anchor)
        rate("goal_rate_overall", goal.id, counts, end <= attempt.horizon)
      }
    }
    for friction in flow.friction {
      let met = attempt.facts.contains { $0.fact.matches(friction.pattern) }
      rate("friction_rate", friction.id, met, true)
    }
    for measure in flow.retention {
      let window = goals.window(measure)
      let isMature = window.map { $0.upperBound - 1 <= attempt.horizon } ?? false
      let cameBack = window.map { goals.cameBack(measure, in: $0) } ?? false
      rate("retention_" + measure.id, "all", cameBack, isMature && !lacksDates(window))
      if !flow.isRandomised(measure) {
        let end = goals.start(ofDay: measure.window.days.end, after: goals.latest(measure.anchor))
        let counts = isMature && cameBack && goals.isInTime(measure.anchor)
        rate("retention_\(measure.id)_overall", "all", counts, end - 1 <= attempt.horizon)
      }
    }
    addCommonCohort(rate)
  }

  /// Whether more than a tenth of a window lies on dates that the data miss (definitions 11.3).
  private func lacksDates(_ window: Range<Int64>?) -> Bool {
    guard let window else { return false }
    let missing = missingDates.map { date in
      window.clamped(to: date..<date + ReferenceTime.day)
    }
    return missing.reduce(0) { $0 + $1.upperBound - $1.lowerBound } * 10
      > window.upperBound - window.lowerBound
  }

  /// Retention over those who are mature for all measures of any activity since entry.
  private func addCommonCohort(_ rate: Rate) {
    let plain = flow.retention.filter { $0.anchor == .entry && $0.pattern == nil }
    guard plain.count > 1 else { return }
    let windows = plain.compactMap { goals.window($0) }
    let isMature = windows.allSatisfy { $0.upperBound - 1 <= attempt.horizon && !lacksDates($0) }
    for (measure, window) in zip(plain, windows) {
      let cameBack = goals.cameBack(measure, in: window)
      rate("retention_\(measure.id)_common", "all", cameBack, isMature)
    }
  }

  private func addFunnels(_ rate: Rate) {
    for funnel in flow.funnels where hasFunnels {
      let walk = FunnelWalk(funnel: funnel, attempt: attempt)
      guard let furthest = walk.furthest() else { continue }
      for number in 1...funnel.steps.count {
        rate("funnel_step", "\(funnel.id):\(number)", number <= furthest, true)
      }
    }
  }

  private var allTimes: [(cell: Cell, milliseconds: Int64)] {
    guard attempt.isMature else { return [] }
    var times: [(cell: Cell, milliseconds: Int64)] = []
    for (index, step) in flow.steps.enumerated() where steps.position(index) != nil {
      if let value = StepTiming.timeOnStep(index, attempt: attempt) {
        times.append((Cell(metric: "time_on_step", step: step.id), value))
      }
      if let value = StepTiming.timeToMoveOn(index, list: steps.list, attempt: attempt) {
        times.append((Cell(metric: "time_to_move_on", step: step.id), value))
      }
    }
    if attempt.isFinished, let outcome = attempt.outcomeTime {
      times.append((Cell(metric: "time_to_complete", step: "all"), outcome - attempt.entry))
    }
    for goal in flow.goals where goals.isCounted(for: goal, steps: steps) {
      if let from = goals.time(of: goal.anchor), let reached = goals.reached(goal) {
        times.append((Cell(metric: "time_to_goal", step: goal.id), reached.time - from))
      }
    }
    return times
  }
}
