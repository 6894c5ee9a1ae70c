public import FlowDefinition

/// Which counter stands where in a cell of the tally: integers with names, in a fixed order.
public struct CounterLayout: Sendable, Hashable {
  /// Counters every flow has.
  public enum Person: Int, Sendable, CaseIterable {
    case entered, persons, finished, finishedAfterSkipping, skipped, abandoned, usedSkip
    /// Came back into the attempt; of those who left a step and viewed one again; to the same one.
    case resumed, resumedToPage, resumedInPlace
    case replayed, completedLate, leftAtEntrySkipping, leftAtEntryAbandoned
    /// Of those who abandoned there.
    case leftAtEntryAfterDenial
  }

  /// Counters of each step.
  public enum Step: Int, Sendable, CaseIterable {
    /// Mature persons whose own list holds the step.
    case listed
    case viewed, advanced, leftSkipping, abandonedHere, abandonedAfterDenial, bypassed, wentBack
    case declined
    /// Viewed it, and finished.
    case finished
    /// For a branch: viewed the parent; and of those, viewed the branch.
    case viewedParent, branchTaken
    /// The first skip tap of the attempt was on this page.
    case firstSkip
  }

  /// Counters of each permission, after the seven classes.
  public enum Permission: Int, Sendable, CaseIterable {
    case optIn, reached, accepted, leftAfterDenial, deniedAndMature, recovered, sawPriming
  }

  /// A numerator and a denominator: goals, retention.
  public enum Rate: Int, Sendable, CaseIterable {
    case eligible, met
  }

  /// How many steps the flow declares, over all of its lists.
  public let stepCount: Int
  /// How many permissions the flow asks for.
  public let permissionCount: Int
  /// How many goals the flow has.
  public let goalCount: Int
  /// How many friction events the flow has.
  public let frictionCount: Int
  /// How many retention measures the flow has.
  public let retentionCount: Int
  /// Goals with an overall rate (definitions 6.8), as indices into the flow's.
  public let overallGoals: [Int]
  /// Retention measures with an overall rate, as indices into the flow's.
  public let overallRetention: [Int]
  /// For each custom funnel of the flow the number of its steps.
  public let funnelStepCounts: [Int]
  /// Retention measures that are counted over their common cohort too.
  public let commonMeasures: [Int]
  private let stepBase: Int
  /// First skips on a page that is unknown.
  public let unknownSkipPage: Int
  private let permissionBase: Int
  private let jointBase: Int
  private let goalBase: Int
  private let frictionBase: Int
  private let retentionBase: Int
  /// Persons who are eligible for all of `commonMeasures`.
  public let commonEligible: Int
  private let overallBase: Int
  private let funnelBases: [Int]
  /// How many counters a cell has.
  public let count: Int

  /// The layout for all that a flow declares.
  public init(_ flow: Flow) {
    stepCount = flow.steps.count
    permissionCount = flow.permissions.count
    goalCount = flow.goals.count
    frictionCount = flow.friction.count
    retentionCount = flow.retention.count
    overallGoals = flow.overallGoals
    overallRetention = flow.overallRetention
    funnelStepCounts = flow.funnels.map(\.steps.count)
    stepBase = Person.allCases.count
    unknownSkipPage = stepBase + stepCount * Step.allCases.count
    permissionBase = unknownSkipPage + 1
    let permissionWidth = PermissionClass.allCases.count + Permission.allCases.count
    jointBase = permissionBase + permissionCount * permissionWidth
    let pairs = permissionCount * (permissionCount - 1) / 2
    goalBase = jointBase + pairs * CounterLayout.jointWidth
    frictionBase = goalBase + goalCount * 2
    retentionBase = frictionBase + frictionCount
    commonMeasures = flow.commonCohortMeasures
    commonEligible = retentionBase + retentionCount * 2
    overallBase = commonEligible + 1 + commonMeasures.count
    var next = overallBase + (overallGoals.count + overallRetention.count) * 2
    funnelBases = funnelStepCounts.map { steps in
      defer { next += steps }
      return next
    }
    count = next
  }

  private static let jointWidth = 49

  /// The place of a counter that every flow has.
  public subscript(_ counter: Person) -> Int { counter.rawValue }

  /// The place of a counter of the step with this index.
  public subscript(_ counter: Step, step: Int) -> Int {
    stepBase + step * Step.allCases.count + counter.rawValue
  }

  /// The place of the persons of a class, of the permission with this index.
  public subscript(_ answer: PermissionClass, permission: Int) -> Int {
    permissionStart(permission) + answer.rawValue
  }

  /// The place of a counter of the permission with this index.
  public subscript(_ counter: Permission, permission: Int) -> Int {
    permissionStart(permission) + PermissionClass.allCases.count + counter.rawValue
  }

  /// Persons by the classes of two permissions, `first < second`.
  public func joint(
    _ first: Int, _ firstClass: PermissionClass, _ second: Int, _ secondClass: PermissionClass
  ) -> Int {
    let before = first * permissionCount - first * (first + 1) / 2
    let pair = before + second - first - 1
    return jointBase + pair * CounterLayout.jointWidth + firstClass.rawValue * 7
      + secondClass.rawValue
  }

  /// The place of a goal's numerator or denominator, by the goal's index.
  public subscript(goal goal: Int, counter: Rate) -> Int { goalBase + goal * 2 + counter.rawValue }

  /// The place of the persons who met the friction with this index in their attempt.
  public subscript(friction friction: Int) -> Int { frictionBase + friction }

  /// The place of a retention measure's numerator or denominator, by the measure's index.
  public subscript(retention measure: Int, counter: Rate) -> Int {
    retentionBase + measure * 2 + counter.rawValue
  }

  /// Of the common cohort those who came back, by place in `commonMeasures`.
  public func commonMet(_ place: Int) -> Int { commonEligible + 1 + place }

  /// Of everybody, for the measure with this place in `overallGoals`, then `overallRetention`.
  public subscript(overall place: Int, counter: Rate) -> Int {
    overallBase + place * 2 + counter.rawValue
  }

  /// Persons who got at least as far as step `step`, counted from 0, of a custom funnel.
  public subscript(funnel funnel: Int, step: Int) -> Int { funnelBases[funnel] + step }

  private func permissionStart(_ permission: Int) -> Int {
    permissionBase
      + permission * (PermissionClass.allCases.count + Permission.allCases.count)
  }
}
