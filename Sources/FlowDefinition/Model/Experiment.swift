/// An A/B test over the flow.
public struct Experiment: Sendable, Hashable {
  /// Its name in the events and in tables; unique among its kind in the flow.
  public var id: String
  /// A title for people; the id where the file gives none.
  public var title: String
  /// The variants in declared order; the control is one of them.
  public var variants: [Variant]
  /// The index of the control in `variants`.
  public var control: Int
  /// Look every day with always-valid intervals.
  public var isSequential: Bool
  /// A person with two variants: left out, or counted with the earliest.
  public var contaminated: ContaminationRule
  /// The first instant of the experiment; `nil` where it began before the data.
  public var startMilliseconds: Int64?
  /// The first instant after the experiment; `nil` while it runs.
  public var endMilliseconds: Int64?
  /// The splits in the order of time; empty where there was only one, that of `variants`.
  public var periods: [SplitPeriod]
  /// The control's name; a flow file whose variants are missing has none.
  public var controlID: String {
    variants.indices.contains(control) ? variants[control].id : "(unknown)"
  }
  /// The event that shows that a person met what the experiment is about; `nil` where everybody
  /// assigned is counted.
  public var exposure: EventPattern?
  /// What it is decided by; `nil` where all metrics decide together.
  public var plan: ExperimentPlan?
  /// How many people, of all variants together, are to enter before it is decided with the
  /// intervals of a single look; `nil` where it is always valid, or a single look, throughout.
  public var plannedPeople: Int?
  /// The standard deviation of the lifts that such changes have, around 0: what is thought of the
  /// lift before the experiment; `nil` where nothing is.
  public var priorDeviation: Double?
  /// The dimensions known at entry within whose values, or their combinations, rates are compared;
  /// at most ``mostStrataDimensions``.
  public var stratifiedBy: [String] = []
  /// The path, in an event, of the account that was assigned as a whole, and whose people resemble
  /// each other; `nil` where people are assigned one by one.
  public var clusterPath: String?

  /// Combinations of more are cells of a few people each, and as many counters as there are cells.
  public static let mostStrataDimensions = 2

  /// An experiment; `control` is an index into `variants`, and its title is its id.
  public init(
    id: String, variants: [Variant], control: Int, isSequential: Bool = false,
    contaminated: ContaminationRule = .first, startMilliseconds: Int64? = nil,
    endMilliseconds: Int64? = nil, periods: [SplitPeriod] = [], exposure: EventPattern? = nil,
    plan: ExperimentPlan? = nil
  ) {
    self.id = id
    title = id
    self.variants = variants
    self.control = control
    self.isSequential = isSequential
    self.contaminated = contaminated
    self.startMilliseconds = startMilliseconds
    self.endMilliseconds = endMilliseconds
    self.periods = periods
    self.exposure = exposure
    self.plan = plan
  }
}

/// One arm of an experiment.
public struct Variant: Sendable, Hashable {
  /// Its name in the events and in tables; unique among its kind in the flow.
  public var id: String
  /// A title for people; the id where the file gives none.
  public var title: String
  /// The share of persons it should get, the last one where the split changed; all shares of an
  /// experiment add up to 1.
  public var share: Double
  /// Its own step list, as indices into `Flow.steps`; `nil` where it has the version's.
  public var steps: [Int]?
  /// The time the design means it to take, where that is another than the version's.
  public var expectedTotalMilliseconds: ClosedRange<Int64>?

  /// A variant that has its version's steps, unless it has its own.
  public init(
    id: String, title: String? = nil, share: Double, steps: [Int]? = nil,
    expectedTotalMilliseconds: ClosedRange<Int64>? = nil
  ) {
    self.id = id
    self.title = title ?? id
    self.share = share
    self.steps = steps
    self.expectedTotalMilliseconds = expectedTotalMilliseconds
  }
}

extension Flow {
  /// The title of an experiment; its id where the flow has no such experiment.
  public func title(ofExperiment id: String) -> String {
    experiments.first { $0.id == id }?.title ?? id
  }

  /// The title of an experiment's variant; its id where the flow has no such variant.
  public func title(ofVariant id: String, in experiment: String) -> String {
    let variants = experiments.first { $0.id == experiment }?.variants ?? []
    return variants.first { $0.id == id }?.title ?? id
  }
}

/// What becomes of a person whose facts name two variants (definitions 6).
public enum ContaminationRule: String, Sendable, Hashable, CaseIterable {
  case exclude, first
}

/// When a dimension's value is known.
enum DimensionMoment: String, CaseIterable {
  case entry, later
}

/// A property of people that reports are broken down by.
public struct Dimension: Sendable, Hashable {
  /// Its name in the events and in tables; unique among its kind in the flow.
  public var id: String
  /// A dotted path from the event's root; `context.<id>` where the file gives none.
  public var path: String
  /// The value may come after the entry, so people who stay longer are likelier to have one. It
  /// breaks tables down, but is never used to match or to standardise people.
  public var isKnownLater: Bool
  /// Of a value that is known later: how long after entry it may come; `nil` for the attempt.
  public var laterWithinMilliseconds: Int64?

  /// A dimension known at entry, at `context.<id>` in events, unless said otherwise.
  public init(
    id: String, path: String? = nil, isKnownLater: Bool = false,
    laterWithinMilliseconds: Int64? = nil
  ) {
    self.id = id
    self.path = path ?? "context.\(id)"
    self.isKnownLater = isKnownLater
    self.laterWithinMilliseconds = laterWithinMilliseconds
  }

  /// Whether its values are releases of the app.
  public var isRelease: Bool { path == "app_version" || path.hasSuffix(".app_version") }

  /// Whether its values are the flow's versions: they say what people met, not who they are.
  public var isVersion: Bool { path == "flow_version" }
}
