import FlowDefinition

/// Which counters the truth keeps for each slice, and which rows are made of them.
struct MetricPlan: Sendable {
  struct Row: Sendable {
    var metric: MetricName
    var step: String
    var numerator: Int
    var denominator: Int?
    /// Left out of breakdowns that an immature person has no value in.
    var includesImmature = false
    /// A row only where somebody is in it.
    var isForSomebody = false
  }

  enum Count: Int, CaseIterable {
    case entered, persons, immature, finished, finishedAfterSkipping, completed, skipped, abandoned
    case resumed, replayed, completedLate, usedSkip, impliedStart, leftSkippingAtEntry
    case abandonedAtEntry, leftAtEntry, afterDenialAtEntry
  }

  /// Counters of one step, from the step's base on.
  enum StepCount: Int, CaseIterable {
    case held, viewed, advanced, left, leftSkipping, abandoned, afterDenial, bypassed, wentBack
    case declined, parentViewed, taken, skipPage
  }

  enum PermissionCount: Int, CaseIterable {
    case granted, denied, error, restricted, alreadyDecided, notNow, noResult
    case optIn, reached, accepted, deniedAndMature, recovered, leftAfterDenial
  }

  private(set) var columns = Count.allCases.count
  private(set) var rows: [Row] = []
  private(set) var steps: [Int] = []
  private(set) var permissions: [Int] = []
  private(set) var unknownPage = 0
  /// By goal: the denominator, then the numerator, then one counter a value.
  private(set) var goals: [Int] = []
  private(set) var goalValues: [[String]] = []
  private(set) var friction: [Int] = []
  /// By measure: the denominator, then the numerator.
  private(set) var retention: [Int] = []
  /// Those who are in the denominators of all measures of any activity since entry; then, for each
  /// of these measures, those of them who came back.
  private(set) var commonCohort = 0
  private(set) var commonMeasures: [Int] = []
  /// By permission: those who saw a step that asks for it.
  private(set) var primed: [Int] = []
  /// By pair of permissions, the first before the second: their classes, one after the other.
  private(set) var joint: [Int] = []
  /// By funnel that can be followed: those who got as far as the first step.
  private(set) var funnels: [Int] = []

  init(_ world: World) {
    addCounts(world.flow)
    for index in world.flow.steps.indices { addStep(world.flow, index) }
    unknownPage = take(1)
    add(.skipShare, "(unknown)", unknownPage, .usedSkip)
    for permission in world.flow.permissions { addPermission(permission) }
    for permission in world.flow.permissions { addPriming(permission, world.flow) }
    addJoint(world.flow.permissions)
    addGoals(world)
    addFunnels(world)
  }

  func column(_ count: Count) -> Int { count.rawValue }
  func column(_ count: StepCount, step: Int) -> Int { steps[step] + count.rawValue }

  private mutating func take(_ count: Int) -> Int {
    defer { columns += count }
    return columns
  }

  private mutating func add(_ metric: MetricName, _ step: String, _ numerator: Int, _ over: Count) {
    rows.append(Row(metric: metric, step: step, numerator: numerator, denominator: over.rawValue))
  }

  private mutating func addCounts(_ flow: Flow) {
    let counts: [(MetricName, Count)] = [
      (.entered, .entered), (.persons, .persons), (.immature, .immature),
      (.finished, .finished), (.finishedAfterSkipping, .finishedAfterSkipping),
      (.skipped, .skipped), (.abandoned, .abandoned),
      (.resumed, .resumed), (.replayed, .replayed), (.completedLate, .completedLate),
    ]
    for (metric, count) in counts {
      rows.append(
        Row(
          metric: metric, step: "", numerator: count.rawValue, denominator: nil,
          includesImmature: count == .entered || count == .immature))
    }
    add(.completionRate, "", Count.completed.rawValue, .persons)
    if case .ends = flow.skip { add(.skipRate, "", Count.skipped.rawValue, .persons) }
    add(.abandonRate, "", Count.abandoned.rawValue, .persons)
    add(.usedSkipRate, "", Count.usedSkip.rawValue, .persons)
    add(.stepDropOff, "(entry)", Count.leftAtEntry.rawValue, .persons)
    add(.stepLeftSkipping, "(entry)", Count.leftSkippingAtEntry.rawValue, .persons)
    add(.stepAbandoned, "(entry)", Count.abandonedAtEntry.rawValue, .persons)
    add(
      .stepAbandonedAfterDenial, "(entry)", Count.afterDenialAtEntry.rawValue, .persons)
  }

  private mutating func addStep(_ flow: Flow, _ index: Int) {
    let base = take(StepCount.allCases.count)
    steps.append(base)
    let step = flow.steps[index]
    let parts: [(MetricName, StepCount, StepCount)] = [
      (.stepReach, .viewed, .held), (.stepBypassed, .bypassed, .held),
      (.stepConversion, .advanced, .viewed), (.stepDropOff, .left, .viewed),
      (.stepLeftSkipping, .leftSkipping, .viewed), (.stepAbandoned, .abandoned, .viewed),
      (.stepAbandonedAfterDenial, .afterDenial, .viewed),
      (.stepWentBack, .wentBack, .viewed), (.stepDeclined, .declined, .viewed),
    ]
    for (metric, numerator, denominator) in parts {
      rows.append(
        Row(
          metric: metric, step: step.id, numerator: base + numerator.rawValue,
          denominator: base + denominator.rawValue))
    }
    if step.branchOf != nil {
      rows.append(
        Row(
          metric: .branchTaken, step: step.id, numerator: base + StepCount.taken.rawValue,
          denominator: base + StepCount.parentViewed.rawValue))
    }
    add(.skipShare, step.id, base + StepCount.skipPage.rawValue, .usedSkip)
  }

  private mutating func addPermission(_ permission: String) {
    let base = take(PermissionCount.allCases.count)
    permissions.append(base)
    let classes: [(MetricName, PermissionCount)] = [
      (.permissionClassGranted, .granted), (.permissionClassDenied, .denied),
      (.permissionClassError, .error), (.permissionClassRestricted, .restricted),
      (.permissionClassAlreadyDecided, .alreadyDecided), (.permissionClassNotNow, .notNow),
      (.permissionClassNoResult, .noResult),
    ]
    for (metric, count) in classes {
      add(metric, permission, base + count.rawValue, .persons)
    }
    add(.permissionOptIn, permission, base + PermissionCount.optIn.rawValue, .persons)
    add(.permissionReach, permission, base + PermissionCount.reached.rawValue, .persons)
    let parts: [(MetricName, PermissionCount, PermissionCount)] = [
      (.permissionAcceptance, .accepted, .reached),
      (.permissionRecovered, .recovered, .deniedAndMature),
      (.permissionLeftAfterDenial, .leftAfterDenial, .denied),
    ]
    for (metric, numerator, denominator) in parts {
      rows.append(
        Row(
          metric: metric, step: permission, numerator: base + numerator.rawValue,
          denominator: base + denominator.rawValue))
    }
  }

  private mutating func addPriming(_ permission: String, _ flow: Flow) {
    let base = take(1)
    primed.append(base)
    guard flow.steps.contains(where: { $0.asks.contains(permission) }) else { return }
    add(.permissionSawPriming, permission, base, .persons)
  }

  /// Persons by the classes of two permissions.
  private mutating func addJoint(_ permissions: [String]) {
    let classes = Fate.PermissionClass.allCases
    for (index, first) in permissions.enumerated() {
      for second in permissions[(index + 1)...] {
        let base = take(classes.count * classes.count)
        joint.append(base)
        for one in classes {
          for other in classes {
            rows.append(
              Row(
                metric: .permissionJoint, step: "\(first)=\(one.name),\(second)=\(other.name)",
                numerator: base + one.rawValue * classes.count + other.rawValue,
                denominator: Count.persons.rawValue, isForSomebody: true))
          }
        }
      }
    }
  }

  private mutating func addFunnels(_ world: World) {
    for funnel in world.funnels.funnels {
      let base = take(funnel.steps.count)
      funnels.append(base)
      for step in funnel.steps.indices {
        rows.append(
          Row(
            metric: .funnelStep, step: "\(funnel.id):\(step + 1)", numerator: base + step,
            denominator: base, includesImmature: true))
      }
    }
  }

  private mutating func addGoals(_ world: World) {
    for (index, goal) in world.flow.goals.enumerated() {
      var values: [String] = []
      if let property = goal.by {
        let found = world.happenings.table.templates.filter { $0.matches(goal.pattern) }
          .map { $0.value(of: property) ?? "(none)" }
        values = Set(found).sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
      }
      let base = take(2 + values.count)
      goals.append(base)
      goalValues.append(values)
      guard world.happenings.goalIsTold[index] else { continue }
      let names = [goal.id] + values.map { "\(goal.id):\($0)" }
      for (offset, name) in names.enumerated() {
        rows.append(
          Row(metric: .goalRate, step: name, numerator: base + 1 + offset, denominator: base))
      }
    }
    for (index, friction) in world.flow.friction.enumerated() {
      addFriction(friction.id, isTold: world.happenings.frictionIsTold[index])
    }
    for (index, measure) in world.flow.retention.enumerated() {
      let base = take(2)
      retention.append(base)
      guard world.happenings.retentionIsTold[index] else { continue }
      rows.append(
        Row(
          metric: .retention(measure), step: "", numerator: base + 1, denominator: base))
    }
    addCommonCohort(world.flow)
  }

  private mutating func addCommonCohort(_ flow: Flow) {
    let plain = flow.retention.indices.filter {
      flow.retention[$0].pattern == nil && flow.retention[$0].anchor == .entry
    }
    guard plain.count > 1 else { return }
    commonMeasures = plain
    commonCohort = take(1 + plain.count)
    for (place, index) in plain.enumerated() {
      rows.append(
        Row(
          metric: .retention(flow.retention[index]).ofCommonCohort, step: "",
          numerator: commonCohort + 1 + place, denominator: commonCohort))
    }
  }

  private mutating func addFriction(_ frictionId: String, isTold: Bool) {
    let base = take(1)
    friction.append(base)
    if isTold { add(.frictionRate, frictionId, base, .persons) }
  }
}
