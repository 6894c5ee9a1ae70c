/// A person's first run through a flow, evaluated: everything the tally counts about one person.
///
/// Reused from person to person, so that no person allocates.
struct Attempt {
  var entryMilliseconds: Int64 = 0
  /// The outcome instant, or entry + window.
  var endMilliseconds: Int64 = 0
  var outcome = Outcome.abandoned
  var horizonMilliseconds: Int64 = 0
  var isMature = false
  var isImpliedStart = false
  var usedSkip = false
  var isResumed = false
  /// Whether the first page after coming back is the one left; `nil` where nobody can say.
  var resumedInPlace: Bool?
  var isReplayed = false
  var completedLate = false
  /// The code of the version; 0 for none.
  var version: UInt32 = 0
  /// For each experiment the distinct variants on the person's facts, in order of appearance: with
  /// `contaminated: first` the first one holds.
  var variants: [[UInt32]] = []
  /// For each experiment whether the person is in it, and in which of its periods.
  var standings: [ExperimentStanding] = []
  /// For each experiment whether the person has a variant and met its exposure after the window
  /// alone.
  var exposedLater: [Bool] = []
  /// For each dimension the code of the person's value; 0 for none.
  var dimensions: [UInt32] = []
  /// For each of the flow's paths of accounts the code of the person's account; 0 for none.
  var clusters: [UInt32] = []
  /// The number of its version with its variants, in the evaluator's `combinations`.
  var combination = 0
  /// Index into the flow's step lists.
  var list = 0

  // Steps: one bit for each step of the flow.
  var viewed: UInt64 = 0
  var wentBack: UInt64 = 0
  var declined: UInt64 = 0
  /// The furthest place of the person's list that was viewed; −1 for none.
  var furthestPlace = -1
  /// The person's last onboarding fact in the attempt is a denied permission.
  var endsWithDenial = false
  /// The step of the first skip, `stepCount` for an unknown page, −1 if skip was not used.
  var skipPage = -1
  /// For each step the summed milliseconds; −1 for no value.
  var stepMilliseconds: [Int64] = []
  /// For each step the milliseconds from its first view until the person went on; −1 if it was not
  /// viewed, ``never`` if the person never went on.
  var moveOnMilliseconds: [Int64] = []
  static let never = Int64.max

  /// Of those who dropped off what they did next: a step that they viewed, or behind all steps the
  /// code of an event's name; −1 for nothing.
  var nextEvent: Int32 = -1
  /// From the last view of the furthest step to that.
  var nextEventMilliseconds: Int64 = 0
  /// The counters of ``TransitionLayout`` for the ways that were taken, each once, and as bits.
  var transitions: [Int32] = []
  var transitionBits: [UInt64] = []

  var permissions: [PermissionAnswer] = []
  var goals: [GoalResult] = []
  /// For each friction of the flow whether it was met.
  var friction: [Bool] = []
  var retention: [RetentionResult] = []
  /// Of goals and retention measures that count from something after entry: over everybody.
  var overall: [OverallResult] = []
  /// When the visit of the attempt ends: only later facts are a return.
  var visitEndMilliseconds: Int64 = 0
  /// The first return at or after day 1, from entry; −1 for none.
  var firstReturnMilliseconds: Int64 = -1
}

/// What became of one permission.
struct PermissionAnswer {
  var answer = PermissionClass.noResult
  var isGranting = false
  var isReached = false
  var isAccepted = false
  var leftAfterDenial = false
  /// A status that nobody was prompted for came before the answer to the prompt.
  var hasUnpromptedStatus = false
  /// The decisive result is denied, and 30 days after it lie before the horizon.
  var isDeniedAndMature = false
  var recovered = false
}

/// What became of one goal.
struct GoalResult {
  /// In the goal's denominator.
  var isEligible = false
  var isReached = false
  /// Reached, whether or not the denominator's maturity is met; −1 for not reached.
  var reachedAtMilliseconds: Int64 = -1
  var sinceAnchorMilliseconds: Int64 = 0
  /// The code of the value of the `by` property; 0 for none.
  var value: UInt32 = 0
  /// The sum of the `value` property, in millionths.
  var amountMillionths: Int128 = 0
  /// How many facts say a number for the `value` property.
  var amountCount: Int64 = 0
}

/// What became of one retention measure.
struct RetentionResult {
  /// The person has the moment that the measure counts from.
  var hasAnchor = false
  /// The window ends by the horizon.
  var isOver = false
  /// The data miss dates of the window.
  var lacksDates = false
  /// A return lies in the window; `false` of one that isn't over.
  var cameBack = false

  /// The person counts for the measure.
  var isEligible: Bool { isOver && !lacksDates }
}

/// A goal or a retention measure over everybody, those without its anchor too.
struct OverallResult {
  var isEligible = false
  var isMet = false
}
