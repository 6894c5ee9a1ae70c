/// The habits of an app's persons: every rate that fates are drawn with.
///
/// All of it is keyed by the ids of the flow file; ids that a flow does not have are ignored, and
/// what a profile does not say has the generic rate. So any flow can be simulated.
struct Profile: Sendable {
  var days = 90
  /// The share of an older version by name; the newest has the rest.
  var versionShares: [String: Double] = [:]
  /// Versions that people had before there was an experiment: they have no variant.
  var versionsBeforeExperiments: Set<String> = []
  var steps: [String: StepHabits] = [:]
  var genericStep = StepHabits()
  /// By version name, or by `experiment=variant`.
  var effects: [String: Effect] = [:]
  var permissions: [String: PermissionHabits] = [:]
  var genericPermission = PermissionHabits()
  var goals: [String: GoalHabits] = [:]
  var genericGoal = GoalHabits()
  /// The chance on each visit of the step, by friction id.
  var friction: [String: Double] = [:]
  var genericFriction = 0.06
  var returns = ReturnHabits()
  var dayHabits = DayHabits()
  /// What people do, in the order of dependence; events of the flow that none of these makes are
  /// made from `goals`, `friction` and the flow file alone.
  var actions: [ActionHabits] = []
  var kinds = PersonKinds()
  var identity = IdentityHabits()
  var replay = 0.04
  var completesLate = 0.05
  /// Forced to quit, or called away for more than 30 minutes: on each visit.
  var pause = 0.02
  /// A skip that ends the flow also sends `onboarding_completed {completion_method: skipped}`.
  var skipAlsoCompletes = false
  /// Of those whose skip would end the flow.
  var finishesAfterSkipping = 0.12
  /// Of those who resume with a new start: begin again on the first page, not where they were.
  var startsOver = 0.0
  /// Views say how the page was reached: by swiping, or with the button.
  var tellsNavigation = false
  /// Of those who skipped: begin the onboarding once more on another device of theirs.
  var secondOnboarding = 0.0
  /// What is presented after an update of the app; `nil` where nothing is.
  var whatsNew: WhatsNewHabits?
  /// Of those who are asked for a permission, whose app logs the status before it asks.
  var checksStatusFirst = 0.03
  /// What people do in the app, by name and weight.
  var activity: [(name: String, weight: Double)] = [
    ("app_opened", 4), ("screen_viewed", 3), ("settings_opened", 0.5), ("push_delivered", 1),
  ]
  /// Values of dimensions by id; the first, if unweighted, is the commonest.
  var dimensions: [String: [(value: String, weight: Double)]] = [:]
  /// Dimensions whose value follows from another's.
  var derived: [String: DerivedDimension] = [:]
}

/// A presentation after an update, as a flow of its own.
struct WhatsNewHabits: Sendable {
  var flow: String
  var pages: [String]
  /// Of those who still use the app when a version is released: update and see the presentation.
  var updates = 0.6
  /// On each page.
  var leaves = 0.12
}

/// A dimension whose value follows from another's.
struct DerivedDimension: Sendable {
  var from: String
  /// By the other's value; all others have the usual one.
  var values: [String: String]
  var usual: String
}

/// What people do on one step, each a chance on each visit.
struct StepHabits: Sendable {
  var leave = 0.035
  var skip = 0.03
  var back = 0.03
  /// Skips this step, or one item on it, only.
  var decline = 0.0
  /// A branch or an optional step: the chance that it is shown at all.
  var take = 0.5
  /// Items that can be declined on it.
  var items: [String] = []
  /// Nobody declines after one of these actions, as `bought`, or `tried status=purchased`.
  var declineUnless: [String] = []
  /// Spread of the log-normal time on step.
  var sigma = 0.55
  /// Median time as a multiple of the step's expected time.
  var pace = 0.95
}

/// What a version or a variant changes, as factors of the generic chances.
struct Effect: Sendable {
  var leave = 1.0
  var skip = 1.0
  var grant = 1.0
  var returning = 1.0
  var goals = 1.0
  var pace = 1.0

  func times(_ other: Effect) -> Effect {
    Effect(
      leave: leave * other.leave, skip: skip * other.skip, grant: grant * other.grant,
      returning: returning * other.returning, goals: goals * other.goals, pace: pace * other.pace)
  }
}

/// How people answer for a permission; each chance is of those whom the ones before left over.
struct PermissionHabits: Sendable {
  /// The step it is asked on where no step of the list says `asks`.
  var askedOn: [String] = ["permissions"]
  var alreadyDecided = 0.03
  /// Declined on the priming screen.
  var notNow = 0.12
  var restricted = 0.006
  /// Reported without a word on whether the system asked.
  var unsaid = 0.01
  var provisional = 0.02
  /// The system asked, and the app never received the answer.
  var unanswered = 0.02
  var error = 0.012
  var granted = 0.6
  /// As above, after a skip that leads to the permission.
  var grantedAfterSkip = 0.4
  /// The first check says not_determined, which decides nothing.
  var checkedFirst = 0.0
  var leavesAfterDenial = 0.10
  /// Denied, then granted in the Settings within 30 days.
  var recovers = 0.12
  /// Not answered in the flow, and granted later on the same day.
  var answersLater = 0.06
  var grantedDetails: [String] = ["granted"]
  /// The status that a grant in the Settings gives.
  var settingsStatus: String {
    grantedDetails.contains("granted") ? "granted" : grantedDetails.first ?? "granted"
  }
  /// The granting statuses of a permission that was decided before.
  var decidedDetails: [String] = ["granted"]
  /// "Not now" on the priming screen is a step skip too, of this item.
  var notNowItem: String?
}

/// When and how often people reach a goal.
struct GoalHabits: Sendable {
  enum Moment: Sendable {
    /// While on the step, or, where the list does not hold it, `delay` after the end.
    case step(String)
    /// So long after the outcome, log-normal.
    case later(medianMilliseconds: Double)
    /// Days after the goal that anchors it, or after entry.
    case days(Int, Int)
  }
  var finished = 0.45
  var skipped = 0.25
  var abandoned = 0.05
  var moment = Moment.later(medianMilliseconds: 600_000)
  /// It happens again on later visits: the chance on each.
  var again = 0.04
  /// Values of its `by` property.
  var values: [(value: String, weight: Double)] = []
}

/// Shares of persons who are not ordinary.
struct PersonKinds: Sendable {
  var orphans = 0.006
  var existing = 0.02
  var activityOnly = 0.01
  var contaminated = 0.004
  var unassigned = 0.01
  /// No `onboarding_started`: it begins with the view of the first step.
  var impliedStart = 0.03
  /// Left before they saw a step.
  var leavesAtEntry = 0.012
}

/// Who people are to the app.
struct IdentityHabits: Sendable {
  /// Signed in from the first event.
  var signedIn = 0.35
  /// Signs in on the way (of the others).
  var signsIn = 0.5
  /// The step on which they do; any, where the list does not hold it.
  var step = "auth"
  var secondDevice = 0.12
}
