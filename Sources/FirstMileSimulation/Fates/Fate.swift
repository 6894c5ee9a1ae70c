import FlowDefinition

/// All that happens to one simulated person. It is drawn first; the lines of the dump and the truth
/// are both derived from it, neither from the other.
struct Fate {
  enum Kind {
    case ordinary, orphan, existing, activityOnly
  }

  /// How the story of one permission went. The engine names its classes itself: the simulator
  /// judges the engine, so it shares nothing with it.
  enum PermissionClass: Int, CaseIterable {
    case granted, denied, error, restricted, alreadyDecided, notNow, noResult

    var name: String {
      switch self {
      case .granted: "granted"
      case .denied: "denied"
      case .error: "error"
      case .restricted: "restricted"
      case .alreadyDecided: "already_decided"
      case .notNow: "not_now"
      case .noResult: "no_result"
      }
    }
  }

  struct Permission {
    var answer = PermissionClass.noResult
    /// The decisive answer is a granting one.
    var isGranted = false
    /// The system asked: the decisive answer came of it, or it was never answered.
    var isReached = false
    /// When the decisive answer was no, if it was.
    var deniedAt: Int64?
    /// Whether it is granted within 30 days of that.
    var recovers = false
    /// The denial is the last that the onboarding saw of an abandoning person.
    var leftAfterDenial = false
    var wasAsked = false
  }

  struct Happening {
    var time: Int64
    var template: Int
  }

  var person: UInt32 = 0
  var kind = Kind.ordinary
  var arm = 0
  /// Index into `World.combinations`; `nil` outside the experiments.
  var combination: Int?
  var isContaminated = false
  /// Contaminated in experiments that leave such persons out.
  var isLeftOut = false
  var context = SIMD16<UInt8>(repeating: ContextModel.missing)
  var entry: Int64 = 0
  var isImplied = false

  var outcome = Outcome.abandoned
  var outcomeTime: Int64 = 0
  var usedSkip = false
  /// The step of the first skip; `nil` where it is not sent.
  var skipStep: Int?
  /// Sets of steps, by index in the flow.
  var viewed: UInt64 = 0
  var wentBack: UInt64 = 0
  var declined: UInt64 = 0
  /// The furthest position viewed, -1 for none.
  var furthest = -1
  var leftAfterDenial = false
  var resumed = false
  var replayTime: Int64?
  var lateCompletionTime: Int64?
  var permissions: [Permission] = []
  var happenings: [Happening] = []
  /// By action: when it happened first.
  var actions: [Happening?] = []
  /// Steps that were shown, whether or not the view was sent.
  var shown: UInt64 = 0
  /// From when on the app's version is `updatedVersion`.
  var updateTime = Int64.max
  var updatedVersion = ContextModel.missing

  /// From when on lines bear the user.
  var signInTime = Int64.max
  /// Lines bear the user alone.
  var isUserOnly = false
  var hasSecondDevice = false
  /// The permission whose denial is the latest onboarding fact, or -1.
  var lastDenied = -1
  var session: UInt8 = 0
  /// The lines to be, up to the horizon.
  var records: [EventRecord] = []
  /// A line with a time long after the horizon.
  var wrongClock: EventRecord?

  /// Forgets the last person but keeps the memory.
  mutating func begin(person: Int, permissions count: Int, actions actionCount: Int) {
    var fresh = Fate()
    fresh.person = UInt32(truncatingIfNeeded: person)
    swap(&fresh.permissions, &permissions)
    swap(&fresh.happenings, &happenings)
    swap(&fresh.records, &records)
    swap(&fresh.actions, &actions)
    self = fresh
    permissions.removeAll(keepingCapacity: true)
    permissions.append(contentsOf: repeatElement(Permission(), count: count))
    happenings.removeAll(keepingCapacity: true)
    records.removeAll(keepingCapacity: true)
    actions.removeAll(keepingCapacity: true)
    actions.append(contentsOf: repeatElement(nil, count: actionCount))
  }

  /// Whether a skip that would have ended the flow came before its end.
  func isFinishedAfterSkipping(_ flow: Flow) -> Bool {
    outcome == .finished && usedSkip && flow.skip == .ends
  }

  /// The attempt: from the entry to the outcome, or through the window.
  func attempt(_ flow: Flow) -> ClosedRange<Int64> {
    let end = entry + flow.windowMilliseconds
    return entry...(outcome == .abandoned ? end : max(entry, min(end, outcomeTime)))
  }

  /// What a file needs to write the person's lines.
  var card: PersonCard {
    PersonCard(
      arm: UInt16(truncatingIfNeeded: arm),
      combination: combination.map { UInt16(truncatingIfNeeded: $0) } ?? PersonCard.none,
      context: context, updatedVersion: updatedVersion)
  }
}

/// What all lines of a person have in common.
struct PersonCard: Sendable {
  static let none = UInt16.max
  var arm: UInt16
  var combination: UInt16
  var context: SIMD16<UInt8>
  /// The code of the app's version after an update.
  var updatedVersion: UInt8
}
