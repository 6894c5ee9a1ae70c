import FlowDefinition

/// Counts what happened to people, from their fates, by slice.
///
/// It reads decisions (left here, answered so, reached that then) and no lines; only "came back" is
/// asked of the times at which a person is known to be there.
struct TruthCounter {
  let world: World
  let metrics: MetricPlan
  let slices: SlicePlan
  let timePlan: TimePlan
  private(set) var cells: [Int]
  private(set) var orphans = 0
  private(set) var existing = 0
  private(set) var activityOnly = 0
  /// By experiment and variant.
  private(set) var contaminated: [[Int]]
  private(set) var contaminatedPersons = 0
  private(set) var unassignedPersons = 0
  private(set) var impliedStarts = 0
  /// The columns that the person at hand adds one to.
  var hits: [Int] = []
  /// The times of the person at hand, by the time plan's rows.
  var times: [(row: Int, milliseconds: Int64)] = []
  /// By slice, then by the time plan's rows.
  private(set) var samples: [TimeSample]
  private var members: [Int] = []

  init(_ world: World, _ metrics: MetricPlan, _ slices: SlicePlan) {
    self.world = world
    self.metrics = metrics
    self.slices = slices
    timePlan = TimePlan(world)
    samples = Array(repeating: TimeSample(), count: slices.slices.count * timePlan.rows.count)
    cells = Array(repeating: 0, count: slices.slices.count * metrics.columns)
    contaminated = world.flow.experiments.map { $0.variants.map { _ in 0 } }
  }

  mutating func merge(_ other: TruthCounter) {
    for index in cells.indices { cells[index] += other.cells[index] }
    for index in samples.indices { samples[index].merge(other.samples[index]) }
    orphans += other.orphans
    existing += other.existing
    activityOnly += other.activityOnly
    contaminatedPersons += other.contaminatedPersons
    unassignedPersons += other.unassignedPersons
    impliedStarts += other.impliedStarts
    for experiment in contaminated.indices {
      for variant in contaminated[experiment].indices {
        contaminated[experiment][variant] += other.contaminated[experiment][variant]
      }
    }
  }

  mutating func count(_ fate: Fate) {
    switch fate.kind {
    case .orphan: orphans += 1
    case .existing: existing += 1
    case .activityOnly: activityOnly += 1
    case .ordinary: countAttempt(fate)
    }
  }

  private mutating func countAttempt(_ fate: Fate) {
    let end = fate.entry + world.flow.windowMilliseconds
    let isMature = end <= world.horizon
    hits.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
    add(.entered)
    // Of all who entered: what is about the data does not wait for the window.
    if fate.isImplied { impliedStarts += 1 }
    countAssignment(fate)
    if isMature {
      add(.persons)
      countMature(fate)
    } else {
      add(.immature)
    }
    countFunnels(fate)
    slices.members(fate, world, isMature: isMature, into: &members)
    for slice in members {
      let base = slice * metrics.columns
      for column in hits { cells[base + column] += 1 }
      guard slices.slices[slice].hasTimes else { continue }
      let first = slice * timePlan.rows.count
      for time in times { samples[first + time.row].add(time.milliseconds) }
    }
  }

  private mutating func countMature(_ fate: Fate) {
    switch fate.outcome {
    case .finished:
      add(.completed)
      add(fate.isFinishedAfterSkipping(world.flow) ? .finishedAfterSkipping : .finished)
    case .skipped: add(.skipped)
    case .abandoned: add(.abandoned)
    }
    if isResumed(fate) { add(.resumed) }
    if fate.usedSkip { add(.usedSkip) }
    if let time = fate.replayTime, time <= world.horizon { add(.replayed) }
    if let time = fate.lateCompletionTime, time <= world.horizon { add(.completedLate) }
    countSteps(fate)
    countPermissions(fate)
    countGoals(fate)
    countRetention(fate)
    countTimes(fate)
  }

  private mutating func countAssignment(_ fate: Fate) {
    guard let combination = fate.combination else {
      unassignedPersons += 1
      return
    }
    guard fate.isContaminated else { return }
    contaminatedPersons += 1
    for (experiment, variant) in world.combinations[combination].enumerated() {
      let other = (variant + 1) % world.flow.experiments[experiment].variants.count
      contaminated[experiment][variant] += 1
      contaminated[experiment][other] += 1
    }
  }

  private mutating func countSteps(_ fate: Fate) {
    let arm = world.arms[fate.arm]
    let isFinished = fate.outcome == .finished
    let isSkipped = fate.outcome == .skipped
    if !isFinished, fate.furthest < 0 {
      add(.leftAtEntry)
      add(isSkipped ? .leftSkippingAtEntry : .abandonedAtEntry)
      if !isSkipped, fate.leftAfterDenial { add(.afterDenialAtEntry) }
    }
    for (position, step) in arm.list.enumerated() {
      let bit: UInt64 = 1 << UInt64(step)
      let isViewed = fate.viewed & bit != 0
      add(.held, step)
      if isViewed { add(.viewed, step) }
      if isViewed, isFinished || fate.furthest > position { add(.advanced, step) }
      if !isViewed, isFinished || fate.furthest > position { add(.bypassed, step) }
      if !isFinished, fate.furthest == position {
        add(.left, step)
        add(isSkipped ? .leftSkipping : .abandoned, step)
        if !isSkipped, fate.leftAfterDenial { add(.afterDenial, step) }
      }
      if fate.wentBack & bit != 0 { add(.wentBack, step) }
      if fate.declined & bit != 0 { add(.declined, step) }
      let parent = arm.steps[position].parent
      if parent >= 0, fate.viewed & (1 << UInt64(arm.list[parent])) != 0 {
        add(.parentViewed, step)
        if isViewed { add(.taken, step) }
      }
    }
    guard fate.usedSkip else { return }
    if let step = fate.skipStep { add(.skipPage, step) } else { hits.append(metrics.unknownPage) }
  }

  private mutating func countPermissions(_ fate: Fate) {
    let classes = Fate.PermissionClass.allCases.count
    var pair = 0
    for (index, first) in fate.permissions.enumerated() {
      let asking = world.arms[fate.arm].list.contains { step in
        world.flow.steps[step].asks.contains(world.flow.permissions[index])
          && fate.viewed & (1 << UInt64(step)) != 0
      }
      if asking { hits.append(metrics.primed[index]) }
      for second in fate.permissions[(index + 1)...] {
        let column = first.answer.rawValue * classes + second.answer.rawValue
        hits.append(metrics.joint[pair] + column)
        pair += 1
      }
    }
    for (index, permission) in fate.permissions.enumerated() {
      let base = metrics.permissions[index]
      func column(_ count: MetricPlan.PermissionCount) -> Int { base + count.rawValue }
      hits.append(base + permission.answer.rawValue)
      if permission.isGranted { hits.append(column(.optIn)) }
      if permission.isReached { hits.append(column(.reached)) }
      if permission.isReached, permission.isGranted { hits.append(column(.accepted)) }
      if let denied = permission.deniedAt, denied + 30 * World.day <= world.horizon {
        hits.append(column(.deniedAndMature))
        if permission.recovers { hits.append(column(.recovered)) }
      }
      if permission.leftAfterDenial { hits.append(column(.leftAfterDenial)) }
    }
  }

  private mutating func add(_ count: MetricPlan.Count) {
    hits.append(metrics.column(count))
  }

  private mutating func add(_ count: MetricPlan.StepCount, _ step: Int) {
    hits.append(metrics.column(count, step: step))
  }
}

extension TruthCounter {
  private mutating func countGoals(_ fate: Fate) {
    let templates = world.happenings.table.templates
    for (index, goal) in world.flow.goals.enumerated() where world.happenings.goalIsTold[index] {
      if let step = goal.ofViewedStep, fate.viewed & (1 << UInt64(step)) == 0 { continue }
      guard let anchor = anchorTime(goal.anchor, fate),
        anchor + goal.withinMilliseconds <= world.horizon
      else { continue }
      hits.append(metrics.goals[index])
      let within = anchor...(anchor + goal.withinMilliseconds)
      guard let reached = first(world.matches.goals[index], fate, in: within) else { continue }
      hits.append(metrics.goals[index] + 1)
      if let row = timePlan.toGoal(index) { times.append((row, reached.time - anchor)) }
      if let property = goal.by {
        let values = all(world.matches.goals[index], fate, in: within).map {
          templates[$0.template].value(of: property)
        }
        let value = TruthCounter.value(values, goal.take) ?? "(none)"
        if let place = metrics.goalValues[index].firstIndex(of: value) {
          hits.append(metrics.goals[index] + 2 + place)
        }
      }
    }
    let end =
      fate.outcome == .abandoned
      ? fate.entry + world.flow.windowMilliseconds : fate.outcomeTime
    for index in world.flow.friction.indices
    where first(world.matches.friction[index], fate, in: fate.entry...end) != nil {
      hits.append(metrics.friction[index])
    }
  }

  /// Of the values of the happenings in a goal's window, in the order of time, the one that counts.
  private static func value(_ values: [String?], _ take: GoalValueRule) -> String? {
    switch take {
    case .first: values.first ?? nil
    case .last: values.last ?? nil
    case .preferred(let ranking):
      ranking.first { values.contains($0) } ?? values.compactMap(\.self).first
    }
  }

  /// Some happenings in a window, in the order of time.
  private func all(
    _ matches: [Bool], _ fate: Fate, in window: ClosedRange<Int64>
  ) -> [Fate.Happening] {
    fate.happenings.filter { window.contains($0.time) && matches[$0.template] }
      .sorted { $0.time < $1.time }
  }

  /// The earliest of some happenings in a window.
  private func first(
    _ matches: [Bool], _ fate: Fate, in window: ClosedRange<Int64>
  ) -> Fate.Happening? {
    var earliest: Fate.Happening?
    for happening in fate.happenings where matches[happening.template] {
      guard window.contains(happening.time), happening.time < earliest?.time ?? .max else {
        continue
      }
      earliest = happening
    }
    return earliest
  }

  func anchorTime(_ anchor: Anchor, _ fate: Fate, depth: Int = 0) -> Int64? {
    switch anchor {
    case .entry:
      return fate.entry
    case .event(let pattern):
      let templates = world.happenings.table.templates
      let from = fate.entry - world.flow.windowMilliseconds
      return fate.happenings.filter {
        $0.time >= from && templates[$0.template].matches(pattern)
      }.map(\.time).min()
    case .goal(let index):
      let goal = world.flow.goals[index]
      guard depth < 8, let start = anchorTime(goal.anchor, fate, depth: depth + 1) else {
        return nil
      }
      let window = start...(start + goal.withinMilliseconds)
      return first(world.matches.goals[index], fate, in: window)?.time
    }
  }
}
