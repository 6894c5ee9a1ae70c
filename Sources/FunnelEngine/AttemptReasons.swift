internal import FlowDefinition
internal import Timelines

/// An attempt in words: each rule, what it found, and why.
struct AttemptReasons {
  let attempt: Attempt
  /// Which of the person's attempts it is, from 1, and whether there is another after it.
  let number: Int
  let hasNext: Bool
  let compiled: CompiledFlow
  private var flow: Flow { compiled.flow }

  func inWords() -> [String] {
    others + [entry, outcome, maturity] + who + behaviour + steps + permissions + later
  }

  private var entry: String {
    let which = number == 1 ? "the first" : "a later"
    if let event = flow.entry { return "entry: \(which) \(event.described)" }
    return attempt.isImpliedStart
      ? "entry: \(which) view of the first step (no start was sent: an implied start)"
      : "entry: \(which) onboarding_started"
  }

  /// What the person's other attempts have to do with this one.
  private var others: [String] {
    let gap = flow.newAttemptAfterMilliseconds.map(DurationText.format) ?? "–"
    var lines: [String] = []
    if number > 1 {
      lines.append(
        "attempt \(number) of this person: no onboarding in the \(gap) before its entry; attempts "
          + "before it are outside the dates or counted on their own")
    }
    if hasNext {
      lines.append("another attempt of this person begins later, after \(gap) without onboarding")
    }
    return lines
  }

  private var outcome: String {
    let spent = seconds(attempt.endMilliseconds - attempt.entryMilliseconds)
    let window = seconds(flow.windowMilliseconds)
    return switch attempt.outcome {
    case .finished: "finished: the first deciding fact, \(spent) after entry, is a completion"
    case .finishedAfterSkipping:
      "finished after skipping: a skip came first, but a completion that is none of its echoes "
        + "followed \(spent) after entry"
    case .skipped: "skipped: the first deciding fact, \(spent) after entry, is a skip"
    case .abandoned: "abandoned: no completion or ending skip within \(window) of entry"
    case .open: "open: the window of \(window) is not over by the horizon"
    }
  }

  private var maturity: String {
    attempt.isMature
      ? "mature: entry + window lies before the horizon; counted in persons"
      : "immature: entry + window lies after the horizon; counted in entered only"
  }

  /// Where the person stands in an experiment, and why (definitions 6).
  private func standing(_ index: Int, in experiment: Experiment) -> String {
    let names = attempt.variants[index].map {
      compiled.tables.name(ofContextValue: $0, at: compiled.variantPlaces[index])
    }
    let standing = attempt.standings[index]
    if standing.isOutside {
      return "outside: entered before it began or after it ended"
        + (names.isEmpty ? "" : " (seen with \(names.joined(separator: ", ")))")
    }
    guard let first = names.first else { return "unassigned" }
    var text = "variant \(first)"
    if names.count > 1 {
      if experiment.contaminated == .exclude {
        return "contaminated (\(names.joined(separator: ", ")))"
      }
      text += ", seen first; also seen with " + names.dropFirst().joined(separator: ", ")
    }
    if !standing.isExposed { text += "; not exposed, so not compared" }
    let period = experiment.periods.count > 1 ? "; period \(standing.period + 1) of the split" : ""
    return text + period
  }

  private var who: [String] {
    var lines: [String] = []
    for (index, experiment) in flow.experiments.enumerated() {
      lines.append("experiment \(experiment.id): \(standing(index, in: experiment))")
    }
    let list = compiled.lists.all[attempt.list].steps.map { flow.steps[$0].id }
    lines.append("steps of this person: \(list.joined(separator: " > "))")
    return lines
  }

  private var behaviour: [String] {
    var lines: [String] = []
    if attempt.usedSkip {
      let page =
        attempt.skipPage < flow.steps.count && attempt.skipPage >= 0
        ? flow.steps[attempt.skipPage].id : "(unknown)"
      lines.append("used skip, first at \(page)")
    }
    if attempt.isResumed {
      let place = attempt.resumedInPlace.map { $0 ? " on the page left" : " on another page" } ?? ""
      lines.append("resumed within the attempt\(place)")
    }
    if attempt.isReplayed { lines.append("replayed after the outcome; in no other metric") }
    if attempt.completedLate { lines.append("completed after the window: completed late") }
    return lines
  }

  private var steps: [String] {
    var lines: [String] = []
    for (place, step) in compiled.lists.all[attempt.list].steps.enumerated() {
      let bit: UInt64 = 1 << UInt64(step)
      let wentOn = attempt.outcome.isFinished || attempt.furthestPlace > place
      guard attempt.viewed & bit != 0 else {
        let isChoice = flow.steps[step].branchOf != nil || flow.steps[step].isOptional
        if wentOn {
          lines.append("step \(flow.steps[step].id): \(isChoice ? "not taken" : "bypassed")")
        }
        continue
      }
      let stay = attempt.isMature ? "left here" : "the furthest so far"
      var text = "step \(flow.steps[step].id): viewed, " + (wentOn ? "advanced" : stay)
      if attempt.wentBack & bit != 0 { text += ", went back" }
      if attempt.declined & bit != 0 { text += ", declined" }
      if attempt.stepMilliseconds[step] >= 0 {
        text += ", \(seconds(attempt.stepMilliseconds[step]))"
      }
      let moveOn = attempt.moveOnMilliseconds[step]
      text +=
        moveOn != Attempt.never
        ? ", moved on after \(seconds(moveOn))"
        : attempt.isMature ? ", never moved on" : ", not moved on so far"
      lines.append(text)
    }
    if !attempt.outcome.isFinished && attempt.furthestPlace < 0 {
      lines.append("no step viewed: left at (entry)")
    }
    return lines
  }

  private var permissions: [String] {
    zip(flow.permissions, attempt.permissions).map { name, answer in
      var text = "permission \(name): \(answer.answer.name)"
      if answer.isReached { text += ", prompted" }
      if answer.hasUnpromptedStatus { text += " after a status that nobody was prompted for" }
      if answer.leftAfterDenial { text += ", left after denial" }
      if answer.recovered { text += ", granted later" }
      return text
    }
  }

  private var later: [String] {
    var lines = flow.goals.indices.map { "goal \(flow.goals[$0].id): \(goal($0))" }
    if !flow.retention.isEmpty {
      let visit = seconds(attempt.visitEndMilliseconds - attempt.entryMilliseconds)
      lines.append("visit: ends \(visit) after entry; only what follows can be a return")
    }
    lines += zip(flow.retention, attempt.retention).map { measure, result in
      "retention \(measure.id): "
        + (!result.hasAnchor
          ? "not in its denominator: the moment it counts from never came"
          : !result.isOver
            ? "not mature"
            : result.lacksDates
              ? "not in its denominator: the data miss dates of its window"
              : result.cameBack ? "came back" : "did not come back")
    }
    return lines
  }

  private func goal(_ index: Int) -> String {
    let (goal, result) = (flow.goals[index], attempt.goals[index])
    guard result.isEligible else { return "not in its denominator" }
    guard result.isReached else {
      return "not reached within \(seconds(goal.withinMilliseconds))"
    }
    var text = "reached \(seconds(result.sinceAnchorMilliseconds)) after its anchor"
    if let property = goal.by, let place = compiled.goalValuePlaces[index] {
      let value =
        result.value == 0
        ? "(none)" : compiled.tables.name(ofActionValue: result.value, at: place)
      text += ", counted with \(property)=\(value)"
    }
    if let property = goal.value {
      text += ", sum of \(property): \(DecimalAmount.text(millionths: result.amountMillionths))"
      if goal.countsAmountPerEvent { text += " over \(result.amountCount) events" }
    }
    return text
  }

  private func seconds(_ milliseconds: Int64) -> String {
    let whole = milliseconds / 1000
    func pair(_ large: Int64, _ unit: String, _ small: Int64, _ smallUnit: String) -> String {
      small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(smallUnit)"
    }
    if whole >= 172_800 { return pair(whole / 86_400, "d", whole % 86_400 / 3600, "h") }
    if whole >= 7200 { return pair(whole / 3600, "h", whole % 3600 / 60, "min") }
    if whole >= 120 { return pair(whole / 60, "min", whole % 60, "s") }
    return "\(whole).\(milliseconds % 1000 / 100) s"
  }
}
