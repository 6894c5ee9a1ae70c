import FlowDefinition

/// Which times the truth keeps for each slice that has any.
struct TimePlan: Sendable {
  private(set) var rows: [(metric: MetricName, step: String?)] = []
  private var onStep = 0
  private var toMoveOn = 0
  private(set) var toComplete = 0
  private var toGoal: [Int?] = []

  init(_ world: World) {
    onStep = rows.count
    for step in world.flow.steps { rows.append((.timeOnStep, step.id)) }
    toMoveOn = rows.count
    for step in world.flow.steps { rows.append((.timeToMoveOn, step.id)) }
    toComplete = rows.count
    rows.append((.timeToComplete, nil))
    for (goal, isTold) in zip(world.flow.goals, world.happenings.goalIsTold) {
      toGoal.append(isTold ? rows.count : nil)
      if isTold { rows.append((.timeToGoal, goal.id)) }
    }
  }

  func onStep(_ step: Int) -> Int { onStep + step }
  func toMoveOn(_ step: Int) -> Int { toMoveOn + step }
  func toGoal(_ goal: Int) -> Int? { toGoal[goal] }
}
