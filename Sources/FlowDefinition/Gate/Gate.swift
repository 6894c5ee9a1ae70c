/// What must hold before a release may go out or a night may pass: a gate file, resolved.
///
/// The gate's file is read here, beside the flow file, by the same diagnostics; the verdicts are
/// made in `RegressionGate`.
public struct Gate: Sendable, Hashable {
  /// The file as the user named it; empty for a gate that is made of the flow's targets alone.
  public var file: String
  /// A title for readers; the flow's where the file gives none.
  public var title: String
  /// The baseline's path as it stands in the file; relative to the file's folder.
  public var baseline: String?
  /// An older baseline is no measure any more.
  public var maximumBaselineAgeMilliseconds: Int64
  /// Whose numbers are judged; `nil` for everyone, or with a baseline everyone after it.
  public var period: GatePeriod?
  /// The chance that any of ``nights`` runs fails without any true drop.
  public var alpha: Double
  /// How many runs share alpha: each has an equal part of it.
  public var nights: Int
  /// The chance to show a drop of twice the margin that a pass needs.
  public var power: Double
  /// How the rules of one run share alpha.
  public var correction: StatisticsSettings.Correction
  /// For rules that don't say it themselves.
  public var onInconclusive: GateRule.OnInconclusive
  /// Whether the flow's own `targets` are rules too.
  public var includesTargets: Bool
  /// In the order of the file, the flow's targets last.
  public var rules: [GateRule]

  /// The gate of a flow without a gate file: its targets.
  public init(flow: Flow) {
    file = ""
    title = flow.title
    baseline = nil
    maximumBaselineAgeMilliseconds = 90 * 86_400_000
    period = nil
    alpha = flow.statistics.alpha
    nights = 1
    power = flow.statistics.power
    correction = flow.statistics.correction
    onInconclusive = .warn
    includesTargets = true
    rules = []
  }

  /// The chance that one run fails without any true drop. Equal parts bound the chance that any of
  /// the runs does, however they depend on each other: they share a baseline (Bonferroni's
  /// inequality; Dunn, Journal of the American Statistical Association 56, 1961).
  public var alphaOfRun: Double { alpha / Double(max(1, nights)) }
}

/// One rule: a number, which slices it is held in, and what is asked of it.
public struct GateRule: Sendable, Hashable {
  /// What is looked at.
  public enum Subject: Sendable, Hashable {
    /// A metric's name as in `metrics.csv`.
    case metric(MetricName)
    case quality(QualityMeasure)
  }

  /// What is asked. Rates are fractions of 1, durations seconds.
  public enum Demand: Sendable, Hashable {
    case atLeast(Double)
    case atMost(Double)
    case notWorse(than: Reference, by: Margin)

    /// The number that must be kept, where it is one and no other's number.
    public var bound: Double? {
      switch self {
      case .atLeast(let bound), .atMost(let bound): bound
      case .notWorse: nil
      }
    }
  }

  /// What a number is compared with.
  public enum Reference: String, Sendable, Hashable, CaseIterable {
    case baseline, control
  }

  /// How much worse is bearable: in the number's unit, or as a share of the reference's number.
  public struct Margin: Sendable, Hashable {
    /// In the number's unit, or a share of 1 where relative; at least 0.
    public var amount: Double
    /// Whether the amount is a share of the reference's number.
    public var isRelative: Bool

    /// In the number's unit, or as a share of the reference's number.
    public init(_ amount: Double, isRelative: Bool = false) {
      self.amount = amount
      self.isRelative = isRelative
    }
  }

  /// Which way is the better one.
  public enum Direction: String, Sendable, Hashable, CaseIterable {
    case higher, lower
  }

  /// Whether a failure ends the run with exit code 1, or is only reported.
  public enum Level: String, Sendable, Hashable, CaseIterable {
    case error, warn
  }

  /// What becomes of a rule that can't be decided.
  public enum OnInconclusive: String, Sendable, Hashable, CaseIterable {
    case fail, warn, ignore
  }

  /// Why a rule does not count for a while.
  public struct Suppression: Sendable, Hashable {
    /// For readers of the verdicts; never empty.
    public var reason: String
    /// The last day on which it holds, as year, month and day.
    public var year: Int
    /// From 1 to 12.
    public var month: Int
    /// From 1.
    public var day: Int
  }

  /// Unique within the gate; verdicts and baselines name the rule by it.
  public var id: String
  /// Where the rule stands in its file, counted from 1; 0 for a target of the flow.
  public var line: Int
  /// Counted from 1, in Unicode scalars; 0 for a target of the flow.
  public var column: Int
  /// The metric, or the condition of the data, that is judged.
  public var subject: Subject
  /// The metric's step, goal, permission …; empty where it has none or `forEach` names it.
  public var step: String
  /// `experiment`, `variant`, `version`, `breakdown` of the slice; all where empty.
  public var slice: [NameMapping]
  /// `step` (or what stands there), `variant`, `version`, or a dimension: the rule is held in each
  /// of its values that the data has.
  public var forEach: [String]
  /// What must hold.
  public var demand: Demand
  /// For `at_least` and `at_most`: half of the shortfall that a pass must be able to show.
  public var margin: Margin
  /// Which way the metric is better.
  public var better: Direction
  /// With `not_worse_by`: the dimension within whose values the two sides are compared, so that a
  /// change of the mix is no change of the rate; empty for all people together.
  public var adjustedFor: [String]
  /// With `not_worse_by`: it passes only where the number is shown to lie within the margin.
  public var isProof: Bool
  /// With `not_worse_by` against the baseline: every night since the baseline is judged together
  /// with those before, with one alpha for all nights.
  public var isSlowDecline: Bool
  /// What a failure means for the run.
  public var level: Level
  /// `nil` for the gate's own.
  public var onInconclusive: OnInconclusive?
  /// `nil` where the rule counts.
  public var suppression: Suppression?
  /// With `forEach`: slices with fewer persons are left out.
  public var minimumPersons: Int

  /// A rule with the defaults filled in.
  public init(_ subject: Subject, step: String = "", demand: Demand, margin: Margin) {
    id = ""
    line = 0
    column = 0
    self.subject = subject
    self.step = step
    slice = []
    forEach = []
    self.demand = demand
    self.margin = margin
    better = .higher
    adjustedFor = []
    isProof = false
    isSlowDecline = false
    level = .error
    onInconclusive = nil
    suppression = nil
    minimumPersons = 0
  }

  /// Whether it holds a variant against its control.
  var isAgainstControl: Bool {
    if case .notWorse(.control, _) = demand { return true }
    return false
  }

  /// The rule that a target of the flow is.
  public init(_ target: Target) {
    let demand: Demand =
      switch target.bound {
      case .atLeast(let value): .atLeast(value)
      case .atMost(let value): .atMost(value)
      }
    self.init(
      .metric(target.metric), step: target.step, demand: demand,
      margin: MetricCatalog.defaultMargin(target.metric, demand))
    slice = target.slice
    better = MetricCatalog.betterDirection(target.metric)
  }
}

/// What a rule can ask of the data themselves; all are shares but `sampleRatio`, a p-value.
public enum QualityMeasure: String, Sendable, Hashable, CaseIterable {
  /// Rejected lines, of all lines.
  case rejects
  /// Sources that are damaged or can't be read, of all sources.
  case damagedInputs = "damaged_inputs"
  /// The p-value of the split against the declared one, the smallest of all experiments.
  case sampleRatio = "sample_ratio"
  /// Persons seen with two variants, of those who entered; the largest of all experiments.
  case contaminated
  /// Persons without a variant, of those who entered; the largest of all experiments.
  case unassigned
  /// Of those who have facts of the flow: without an entry, and seen long before.
  case orphans
  case existingUsers = "existing_users"
  /// Whom the flow's `leave_out` leaves out, of all people.
  case leftOut = "left_out"
  /// Still within their window, of those who entered.
  case immature
  /// Views of pages that the flow does not declare, of all views.
  case undeclaredPages = "undeclared_pages"
  /// Results for permissions with a status that is in no definition, of all; so with the methods of
  /// completions, and with amounts of goals that are no numbers.
  case unknownStatuses = "unknown_statuses"
  case unknownMethods = "unknown_methods"
  case unknownAmounts = "unknown_amounts"
  /// Page views that say no page, of all.
  case viewsWithoutPage = "views_without_page"
}
