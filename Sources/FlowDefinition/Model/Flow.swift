/// One onboarding design, resolved: what the flow file says with every default filled in.
///
/// `FlowDefinition` is the leftmost target of the data path: it turns a YAML flow file into this
/// value, reports mistakes with their position, and computes the fingerprint of the choices that
/// change numbers. It knows nothing of files of events. Everything to its right (scanning,
/// timelines, evaluation, reports) is driven by this value alone.
public struct Flow: Sendable, Hashable {
  /// The id in the events' `flow` field.
  public var id: String
  /// A title for readers; the id where the file gives none.
  public var title: String
  /// The name of the newest version, the one that `defaultList` describes. `nil` where the flow
  /// file names no version at all; a person without a version is then `(none)`.
  public var newestVersion: String?
  /// How long an attempt may last, from entry, end included.
  public var windowMilliseconds: Int64
  /// How long before entry what a person did still belongs to the beginning (definitions 5.2): the
  /// window, and a day where that is shorter. Who has minutes to finish may have opened the app
  /// hours before all the same.
  public var leadMilliseconds: Int64 { max(windowMilliseconds, 86_400_000) }
  /// What makes facts one person's.
  public var identity: IdentityRule
  /// How far from a device-only fact a user may be seen on the device to be its owner.
  public var stitchWithinMilliseconds: Int64
  /// What becomes of people who were seen long before their entry.
  public var existingUsers: ExistingUsersRule
  /// How long nobody must have gone on with the onboarding before a later start begins a new
  /// attempt; `nil` where a person has one attempt only.
  public var newAttemptAfterMilliseconds: Int64?
  /// Which of a person's attempts counts.
  public var counting: CountingRule
  /// How long before an attempt a person is looked at; `nil` for as long as the data go.
  public var historyMilliseconds: Int64?
  /// Whether a skip ends the attempt or is one way through it.
  public var skip: SkipRule
  /// Whether the app has no way to skip: that nobody did is then known, and not a gap in the data.
  public var neverSkips = false
  /// The number the events give the first page: 0 or 1.
  public var countsFrom: Int
  /// The number that skips give the first page: 0 or 1.
  public var skipsCountFrom: Int
  /// Whether pages that are no step are the app's other screens, and no mistake.
  public var ignoresOtherPages = false
  /// What a draft has guessed and nobody has confirmed yet.
  public var guessed: [GuessedPart] = []
  /// Who is in none of the flow's numbers.
  public var leaveOut: LeaveOut
  /// The event that begins an attempt; `nil` where the onboarding's own start does.
  public var entry: EventPattern?
  /// Every step of any version or variant. The newest list comes first in its order, then the
  /// steps that only older versions or variants know. A step's index here is its code everywhere.
  public var steps: [Step]
  /// The newest version's list, as indices into `steps`.
  public var defaultList: [Int]
  /// Older versions with lists of their own, in the file's order.
  public var versions: [VersionList]
  /// The time the design means the newest version to take.
  public var expectedTotalMilliseconds: ClosedRange<Int64>?
  /// In the file's order.
  public var experiments: [Experiment]
  /// Permissions the flow reports on: those listed, and those that a step asks for.
  public var permissions: [String]
  /// In the file's order.
  public var goals: [Goal]
  /// In the file's order.
  public var friction: [Friction]
  /// In the file's order.
  public var retention: [RetentionMeasure]
  /// What a day after the entry is.
  public var day: DayRule
  /// An IANA identifier.
  public var timeZone: String
  /// Event names that do not show that the person came back.
  public var notActivity: [String]
  /// In the file's order.
  public var dimensions: [Dimension]
  /// In the file's order.
  public var funnels: [CustomFunnel]
  /// In the file's order.
  public var targets: [Target]
  /// How sure its reports want to be.
  public var statistics: StatisticsSettings
  /// `events:` of the file: a name in the dump and the canonical name it stands for.
  public var eventNames: [NameMapping]
  /// `fields:` of the file: where a canonical field is found in an event of the user's own shape.
  public var fields: [FieldMapping]
  /// `redact:` of the file: dotted paths from an event's root whose values are dropped on reading;
  /// `properties.user.*` is everything inside `properties.user`. Never one that the flow uses.
  public var redactedPaths: [String]

  /// 90 days.
  public static let defaultStitchWithinMilliseconds: Int64 = 90 * 86_400_000
  /// 30 days.
  public static let defaultNewAttemptAfterMilliseconds: Int64 = 30 * 86_400_000

  /// A flow of these steps, with the flow file's defaults for all else.
  public init(id: String, steps: [Step]) {
    self.id = id
    self.title = id
    self.newestVersion = nil
    self.windowMilliseconds = 86_400_000
    self.identity = .stitched
    self.stitchWithinMilliseconds = Flow.defaultStitchWithinMilliseconds
    self.existingUsers = .exclude
    self.newAttemptAfterMilliseconds = Flow.defaultNewAttemptAfterMilliseconds
    self.counting = .persons
    self.historyMilliseconds = nil
    self.leaveOut = LeaveOut()
    self.skip = .ends
    self.countsFrom = 1
    self.skipsCountFrom = 1
    self.entry = nil
    self.steps = steps
    self.defaultList = Array(steps.indices)
    self.versions = []
    self.expectedTotalMilliseconds = nil
    self.experiments = []
    self.permissions = []
    self.goals = []
    self.friction = []
    self.retention = []
    self.day = .hours24
    self.timeZone = "UTC"
    self.notActivity = []
    self.dimensions = []
    self.funnels = []
    self.targets = []
    self.statistics = StatisticsSettings()
    self.eventNames = []
    self.fields = []
    self.redactedPaths = []
  }

  /// The paths of accounts that experiments are compared by, each once.
  public var clusterPaths: [String] {
    experiments.compactMap(\.clusterPath).reduce(into: []) { paths, path in
      if !paths.contains(path) { paths.append(path) }
    }
  }

  /// The dimensions whose values are known at entry: indices into `dimensions`.
  public var dimensionsAtEntry: [Int] {
    dimensions.indices.filter { !dimensions[$0].isKnownLater }
  }

  /// The time that the design expects people of a version to take; `nil` where it names none.
  public func expectedTotalMilliseconds(version: String) -> ClosedRange<Int64>? {
    let old = versions.first { $0.name == version }
    return old.map(\.expectedTotalMilliseconds) ?? expectedTotalMilliseconds
  }

  /// All step lists: the newest version's, older versions', and those of variants.
  public var lists: [[Int]] {
    [defaultList] + versions.map(\.steps)
      + experiments.flatMap { $0.variants.compactMap(\.steps) }
  }

  /// The index of a step in `steps`, by id.
  public func stepIndex(_ id: String) -> Int? {
    steps.firstIndex { $0.id == id }
  }
}

/// Whose facts are whose.
public enum IdentityRule: String, Sendable, Hashable, CaseIterable {
  case stitched, user, device
}

/// What becomes of persons seen long before their entry.
public enum ExistingUsersRule: String, Sendable, Hashable, CaseIterable {
  case exclude, include
}

/// What a flow's numbers count: each person once, by their first attempt, or every attempt.
public enum CountingRule: String, Sendable, Hashable, CaseIterable {
  case persons, attempts
}

/// What `onboarding_skipped` does.
public enum SkipRule: Sendable, Hashable {
  /// It ends the flow: the outcome is *skipped*.
  case ends
  /// It jumps to the step with this index; the flow goes on.
  case leadsTo(step: Int)
}

/// What a retention day is: 24 hours from entry, or the calendar day of the flow's time zone.
public enum DayRule: String, Sendable, Hashable, CaseIterable {
  case hours24 = "24h"
  case calendar
}

/// The step list of an older version.
public struct VersionList: Sendable, Hashable {
  /// The version as the events name it.
  public var name: String
  /// Indices into `Flow.steps`, in order.
  public var steps: [Int]
  /// The time the design means this version to take.
  public var expectedTotalMilliseconds: ClosedRange<Int64>?

  /// The list of an older version; `steps` are indices into ``Flow/steps``.
  public init(
    name: String, steps: [Int], expectedTotalMilliseconds: ClosedRange<Int64>? = nil
  ) {
    self.name = name
    self.steps = steps
    self.expectedTotalMilliseconds = expectedTotalMilliseconds
  }
}

/// A name in the dump and the canonical name it stands for.
public struct NameMapping: Sendable, Hashable {
  /// The name that is replaced.
  public var from: String
  /// The name that replaces it.
  public var to: String

  /// A mapping that replaces one name by another.
  public init(from: String, to: String) {
    self.from = from
    self.to = to
  }
}

/// Where a canonical field is found in an event of the user's own shape.
public struct FieldMapping: Sendable, Hashable {
  /// The canonical field: `event`, `timestamp`, `user_id`, `page_name`, `status` …
  public var field: String
  /// A dotted path from the event's root, such as `properties.page`. `nil` with `constant`,
  /// and where only the time zone or the order of dates is given.
  public var path: String?
  /// The value to take whatever the event says.
  public var constant: String?
  /// Values in the dump and the canonical values they stand for.
  public var values: [NameMapping]
  /// Of `timestamp`: the zone whose clocks times without an offset were read from.
  public var timeZone: String?
  /// Of `timestamp`: which number is the month in dates that end with the year.
  public var dateOrder: DateOrder?

  /// A field that is found at a path, or that has one constant in all events.
  public init(
    field: String, path: String?, constant: String? = nil, values: [NameMapping] = [],
    timeZone: String? = nil, dateOrder: DateOrder? = nil
  ) {
    self.timeZone = timeZone
    self.dateOrder = dateOrder
    self.field = field
    self.path = path
    self.constant = constant
    self.values = values
  }
}
