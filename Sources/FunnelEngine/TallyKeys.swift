/// The persons of one version and one variant in each experiment: the finest cut of the tally
/// across variants. Rows for all persons, a version, or a variant are sums of groups.
public struct GroupKey: Sendable, Hashable {
  /// `(none)` where the person has no version and the flow names none.
  public var version: String
  /// One for each experiment of the flow.
  public var variants: [VariantState]
  /// For each experiment the number of the split that held at entry (`Experiment.periods`).
  public var periods: [Int]

  /// A group; each experiment is in its first split where no periods are given.
  public init(version: String, variants: [VariantState], periods: [Int]? = nil) {
    self.version = version
    self.variants = variants
    self.periods = periods ?? variants.map { _ in 0 }
  }
}

/// Where a person stands in an experiment.
public enum VariantState: Sendable, Hashable {
  case unassigned
  /// Entered before the experiment began or after it ended.
  case outside
  case assigned(String)
  /// Assigned, but never seen with the event that shows exposure; `nil` for people who were seen
  /// with several variants and are left out for that.
  case notExposed(String?)
  /// Seen with these variants, in order of their names: in none of them.
  case contaminated([String])
  /// Seen with these variants, in order of their names: in the one that was seen first, as the flow
  /// says (`contaminated: first`).
  case first(String, of: [String])

  /// The value of the `variant` column.
  public var label: String {
    switch self {
    case .unassigned: "(unassigned)"
    case .outside: "(outside)"
    case .notExposed: "(not exposed)"
    case .assigned(let name): name
    case .contaminated: "(contaminated)"
    case .first(let name, of: _): name
    }
  }

  /// The variants of a person who was seen with several, in order of their names; else none.
  public var mixedVariants: [String] {
    switch self {
    case .unassigned, .outside, .notExposed, .assigned: []
    case .contaminated(let names), .first(_, of: let names): names
    }
  }
}

/// A value of a dimension, a cohort, or everybody.
public struct BreakdownKey: Sendable, Hashable, Comparable {
  /// A dimension's id, `cohort`, `used_skip`, `outcome`, or `all`.
  public var dimension: String
  /// The value's name, such as `2026-W04` or `(none)`; empty for everybody.
  public var value: String

  /// A value of a dimension, both by the names that outputs have.
  public init(dimension: String, value: String) {
    self.dimension = dimension
    self.value = value
  }

  /// Everybody, not cut.
  public static let all = BreakdownKey(dimension: "all", value: "")
  /// The dimension of days, weeks or months of entry.
  public static let cohort = "cohort"
  /// The dimension of those who used a skip, `yes` or `no`.
  public static let usedSkip = "used_skip"
  /// The dimension of outcomes, by ``Outcome``'s names.
  public static let outcome = "outcome"

  /// By dimension, then by value.
  public static func < (left: BreakdownKey, right: BreakdownKey) -> Bool {
    (left.dimension, left.value) < (right.dimension, right.value)
  }
}

/// A cell of the tally.
public struct CellKey: Sendable, Hashable {
  /// The people's version and variants.
  public var group: GroupKey
  /// The value that they are cut by.
  public var breakdown: BreakdownKey

  /// The people of a group who have a value.
  public init(group: GroupKey, breakdown: BreakdownKey) {
    self.group = group
    self.breakdown = breakdown
  }
}

/// A goal in a cell.
public struct GoalKey: Sendable, Hashable {
  /// Whose goal it is.
  public var cell: CellKey
  /// Index into the flow's goals.
  public var goal: Int

  /// A goal of the people of a cell.
  public init(cell: CellKey, goal: Int) {
    self.cell = cell
    self.goal = goal
  }
}

/// A goal among all people of a group.
public struct GoalGroupKey: Sendable, Hashable {
  /// The people's version and variants.
  public var group: GroupKey
  /// Index into the flow's goals.
  public var goal: Int

  /// A goal of the people of a group.
  public init(group: GroupKey, goal: Int) {
    self.group = group
    self.goal = goal
  }
}

/// A goal's value in a cell.
public struct GoalValueKey: Sendable, Hashable {
  /// Whose goal it is.
  public var cell: CellKey
  /// Index into the flow's goals.
  public var goal: Int
  /// The value of the goal's `by` property; `(none)` where the event has none.
  public var value: String

  /// A value of a goal of the people of a cell.
  public init(cell: CellKey, goal: Int, value: String) {
    self.cell = cell
    self.goal = goal
    self.value = value
  }
}

/// What a time histogram holds.
public enum TimeMeasure: Sendable, Hashable {
  /// Time on the step with this index.
  case step(Int)
  /// Time from the first view of the step with this index until the person went on, of all who
  /// viewed it; who never did counts as the longest time that a histogram holds.
  case moveOn(Int)
  case complete
  /// Time to the goal with this index.
  case goal(Int)
}

/// A time histogram's place.
public struct TimeKey: Sendable, Hashable {
  /// The people's version and variants.
  public var group: GroupKey
  /// Whether these are the people who used a skip; no histogram holds both kinds.
  public var usedSkip: Bool
  /// Which times of theirs are counted.
  public var measure: TimeMeasure

  /// The times of those of a group who did use a skip, or of those who did not.
  public init(group: GroupKey, usedSkip: Bool, measure: TimeMeasure) {
    self.group = group
    self.usedSkip = usedSkip
    self.measure = measure
  }
}

/// Times of events and of censoring, for survival curves, of all people who entered, immature too.
public enum SurvivalMeasure: String, Sendable, Hashable, CaseIterable {
  /// With a skip before or without.
  case finished
  case skipped, abandoned
  /// Still open at the horizon.
  case censored
  case returned
  /// Not returned by the horizon.
  case returnCensored = "return_censored"

  /// Its place in `allCases`.
  var index: Int {
    switch self {
    case .finished: 0
    case .skipped: 1
    case .abandoned: 2
    case .censored: 3
    case .returned: 4
    case .returnCensored: 5
    }
  }
}

/// A survival histogram's place.
public struct SurvivalKey: Sendable, Hashable {
  /// The people's version and variants.
  public var group: GroupKey
  /// Which of their moments since entry are counted.
  public var measure: SurvivalMeasure

  /// The moments of one kind, of the people of a group.
  public init(group: GroupKey, measure: SurvivalMeasure) {
    self.group = group
    self.measure = measure
  }
}
