/// The names of the metrics of docs/metrics.md, and what stands in their `step` column.
///
/// Reports make the numbers; this list is here so that a target that names no metric, or a step
/// that the metric doesn't have, is reported when the flow file is read and not after the report.
public struct MetricCatalog: Sendable {
  /// What the `step` column of a metric holds.
  public enum StepKind: String, Sendable, Hashable {
    case none, step, permission, goal, friction, funnel
  }

  let flow: Flow
  /// Metrics without derived ones, in the order in which tables have them.
  public let metrics: [(name: String, kind: StepKind)]
  private let kinds: [String: StepKind]

  static let counts =
    [
      "entered", "persons", "immature", "finished", "finished_after_skipping", "skipped",
      "abandoned", "resumed", "replayed", "completed_late", "orphans", "existing_users",
    ] + experimentCounts
  /// Counts of persons by where they stand in an experiment.
  static let experimentCounts = ["contaminated", "unassigned", "outside_experiment", "assigned"]
  /// Numbers of a whole variant, beside its counts.
  static let numbersOfVariants = ["srm_p", "srm_p_assigned", "completion_rate_assigned"]
  static let rates: [(name: String, kind: StepKind)] = [
    ("completion_rate", .none), ("skip_rate", .none), ("abandon_rate", .none),
    ("used_skip_rate", .none), ("step_reach", .step), ("step_bypassed", .step),
    ("step_conversion", .step), ("step_completion", .step), ("step_drop_off", .step),
    ("step_left_skipping", .step),
    ("step_abandoned", .step), ("step_abandoned_after_denial", .step), ("step_went_back", .step),
    ("step_declined", .step), ("branch_taken", .step), ("skip_share", .step),
    ("permission_opt_in", .permission), ("permission_acceptance", .permission),
    ("permission_reach", .permission), ("permission_class_granted", .permission),
    ("permission_class_denied", .permission), ("permission_class_error", .permission),
    ("permission_class_restricted", .permission),
    ("permission_class_already_decided", .permission), ("permission_class_not_now", .permission),
    ("permission_class_no_result", .permission), ("permission_recovered", .permission),
    ("permission_left_after_denial", .permission), ("permission_saw_priming", .permission),
    ("resumed_in_place", .none), ("goal_rate", .goal), ("goal_rate_overall", .goal),
    ("friction_rate", .friction),
    ("funnel_step", .funnel),
  ]
  /// Sums and means of what goals' `value` properties say.
  static let values: [(name: String, kind: StepKind)] = [
    ("goal_value", .goal), ("goal_value_total", .goal), ("goal_value_per_event", .goal),
  ]
  static let durations: [(name: String, kind: StepKind)] = [
    ("time_on_step", .step), ("time_to_move_on", .step), ("time_to_complete", .none),
    ("time_to_goal", .goal),
  ]
  /// Durations of people who got far enough to have one, which experiments compare; not of all who
  /// were there.
  static let comparedDurations = ["time_on_step", "time_to_complete", "time_to_goal"]
  static let durationSuffixes = ["p50", "p75", "p90", "p95", "p99", "n"]
  /// Prefixes of what compares a variant with control, or those who finished with those who
  /// skipped, for a rate.
  static let comparisons = [
    "lift_", "difference_", "p_adjusted_", "p_", "probability_better_",
    "observational_lift_stratified_", "observational_lift_",
  ]

  /// The metrics of a flow. A flow whose skip leads to a step has no `skip_rate`.
  public init(_ flow: Flow) {
    let hasExposure = flow.experiments.contains { $0.exposure != nil }
    let hasDates = flow.experiments.contains {
      $0.startMilliseconds != nil || $0.endMilliseconds != nil
    }
    func isThere(_ name: String) -> Bool {
      switch name {
      case "assigned", "srm_p_assigned", "completion_rate_assigned": hasExposure
      case "outside_experiment": hasDates
      default: true
      }
    }
    var metrics = Self.counts.filter(isThere).map { (name: $0, kind: StepKind.none) }
    metrics += Self.rates.filter {
      ($0.name != "skip_rate" || flow.skip == .ends)
        && ($0.name != "goal_rate_overall" || !flow.overallGoals.isEmpty)
    }
    if flow.goals.contains(where: { $0.value != nil }) {
      let hasEvents = flow.goals.contains(where: \.countsAmountPerEvent)
      metrics += Self.values.filter { hasEvents || $0.name != "goal_value_per_event" }
    }
    metrics += flow.retention.map { (name: "retention_\($0.id)", kind: StepKind.none) }
    metrics += flow.commonCohortMeasures.map {
      (name: "retention_\(flow.retention[$0].id)\(Flow.commonCohortSuffix)", kind: StepKind.none)
    }
    metrics += flow.overallRetention.map {
      (name: "retention_\(flow.retention[$0].id)_overall", kind: StepKind.none)
    }
    for duration in Self.durations {
      metrics += Self.durationSuffixes.map { ("\(duration.name)_\($0)", duration.kind) }
    }
    metrics += Self.numbersOfVariants.filter(isThere).map { (name: $0, kind: StepKind.none) }
    self.metrics = metrics
    kinds = Dictionary(metrics.map { ($0.name, $0.kind) }, uniquingKeysWith: { first, _ in first })
    self.flow = flow
  }

  /// What stands in the `step` column of a metric, plain or derived; `nil` where there is no such
  /// metric.
  public func kind(of metric: String) -> StepKind? {
    if let plain = kinds[metric] { return plain }
    guard let base = Self.comparedRate(metric), !Self.counts.contains(base) else { return nil }
    return kinds[base]
  }

  /// Whether a metric is a share of persons, so that it can't be above 1.
  static func isRate(_ metric: String) -> Bool {
    metric.hasPrefix("retention_") || rates.contains { $0.name == metric }
  }

  /// The rate that a comparison such as `lift_completion_rate` is about.
  public static func comparedRate(_ metric: String) -> String? {
    comparisons.first { metric.hasPrefix($0) }.map { String(metric.dropFirst($0.count)) }
  }

  /// The name that a wrong one was probably meant to be.
  func suggestion(for metric: String) -> String? {
    let names = metrics.map(\.name)
    if let prefix = Self.comparisons.first(where: { metric.hasPrefix($0) }),
      let base = NearestSpelling.of(String(metric.dropFirst(prefix.count)), among: names)
    {
      return prefix + base
    }
    return NearestSpelling.of(metric, among: names)
  }
}
