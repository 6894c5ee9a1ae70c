/// Persons of one version and one combination of variants: their list and their chances.
struct Arm: Sendable {
  /// Index into `World.versions`.
  var version: Int
  /// Indices of variants, one an experiment; empty for persons outside the experiments.
  var variants: [Int]
  /// The steps in order, as indices into `Flow.steps`.
  var list: [Int]
  /// By step index: its position in the list, or -1.
  var positions: [Int]
  var effect: Effect
  var steps: [StepChances] = []
  /// By position: the permissions asked for there.
  var asked: [[Int]] = []
  /// By permission: whether any step of the list asks for it.
  var asksFor: [Bool] = []
  var permissions: [PermissionChances] = []
  var goals: [GoalChances] = []
  /// By friction; -1 where it can't happen.
  var friction: [Int] = []
  /// By retention measure with an event of its own; -1 for the others.
  var retentionEvents: [Int] = []
  /// Slots by outcome and loyalty.
  var loyalties: [[Int]] = []
  /// A visit on a day, by loyalty.
  var returns: [Int] = []
  var actions: [ActionChances] = []
  /// By position: the actions on that step.
  var stepActions: [[Int]] = []
  var updates = 0
  var secondOnboarding = 0
  var startsOver = 0
  var replay = 0
  var completesLate = 0
  var leavesAtEntry = 0
}

/// The slots in the chance book, and the times, of one step.
struct StepChances: Sendable {
  var leave: Int
  var skip: Int
  var back: Int
  var decline: Int
  var take: Int
  var pause: Int
  /// Can be skipped alone: optional, or with items to decline.
  var canDecline: Bool
  var canSkip: Bool
  var isOptional: Bool
  /// The position of the step that it branches off, or -1.
  var parent: Int
  /// Actions after which nobody declines, and with which of their templates.
  var declineUnless: [(action: Int, templates: Set<Int>)]
  /// Items as indices into `World.items`.
  var items: [Int]
  var medianMilliseconds: Double
  var sigma: Double
  /// Goals that are reached while on the step.
  var goals: [Int]
  /// Frictions that happen on it.
  var friction: [Int]
}

/// The slots of one permission.
struct PermissionChances: Sendable {
  var checkedFirst: Int
  var alreadyDecided: Int
  var alreadyGranted: Int
  var notNow: Int
  var restricted: Int
  var unsaid: Int
  var provisional: Int
  var unanswered: Int
  var error: Int
  var granted: Int
  var grantedAfterSkip: Int
  var leavesAfterDenial: Int
  var recovers: Int
  var answersLater: Int
  /// The item of the step skip that "Not now" is too, or -1.
  var notNowItem: Int
}

/// The slots of one action; -1 where it can't happen.
struct ActionChances: Sendable {
  /// By outcome; what happens before the outcome is known has the first one only.
  var outcomes: [Int]
  /// Whether it happens once more after the last time.
  var recurs: Int
}

/// The slots of one goal; -1 where it is not scheduled.
struct GoalChances: Sendable {
  /// By outcome.
  var outcomes: [Int]
  /// While on its step.
  var onStep: Int
}
