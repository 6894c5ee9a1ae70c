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
  public let metrics: [(name: MetricName, kind: StepKind)]
  private let kinds: [MetricName: StepKind]

  static let counts: [MetricName] =
    [
      .entered, .persons, .immature, .finished, .finishedAfterSkipping, .skipped,
      .abandoned, .resumed, .replayed, .completedLate, .orphans, .existingUsers,
    ] + experimentCounts
  /// Counts of persons by where they stand in an experiment.
  static let experimentCounts: [MetricName] = [
    .contaminated, .unassigned, .outsideExperiment, .assigned,
  ]
  /// Numbers of everybody assigned to a variant, exposed or not.
  static let ofAssigned: Set<MetricName> = [.assigned, .srmPAssigned, .completionRateAssigned]
  /// Numbers of a whole variant, beside its counts.
  static let numbersOfVariants: [MetricName] = [.srmP, .srmPAssigned, .completionRateAssigned]
  static let rates: [(name: MetricName, kind: StepKind)] = [
    (.completionRate, .none), (.skipRate, .none), (.abandonRate, .none),
    (.usedSkipRate, .none), (.stepReach, .step), (.stepBypassed, .step),
    (.stepConversion, .step), (.stepCompletion, .step), (.stepDropOff, .step),
    (.stepLeftSkipping, .step),
    (.stepAbandoned, .step), (.stepAbandonedAfterDenial, .step), (.stepWentBack, .step),
    (.stepDeclined, .step), (.branchTaken, .step), (.skipShare, .step),
    (.permissionOptIn, .permission), (.permissionAcceptance, .permission),
    (.permissionReach, .permission), (.permissionClassGranted, .permission),
    (.permissionClassDenied, .permission), (.permissionClassError, .permission),
    (.permissionClassRestricted, .permission),
    (.permissionClassAlreadyDecided, .permission), (.permissionClassNotNow, .permission),
    (.permissionClassNoResult, .permission), (.permissionRecovered, .permission),
    (.permissionLeftAfterDenial, .permission), (.permissionSawPriming, .permission),
    (.resumedInPlace, .none), (.goalRate, .goal), (.goalRateOverall, .goal),
    (.frictionRate, .friction),
    (.funnelStep, .funnel),
  ]
  /// Sums and means of what goals' `value` properties say.
  static let values: [(name: MetricName, kind: StepKind)] = [
    (.goalValue, .goal), (.goalValueTotal, .goal), (.goalValuePerEvent, .goal),
  ]
  static let durations: [(name: MetricName, kind: StepKind)] = [
    (.timeOnStep, .step), (.timeToMoveOn, .step), (.timeToComplete, .none),
    (.timeToGoal, .goal),
  ]
  /// Durations of people who got far enough to have one, which experiments compare; not of all who
  /// were there.
  static let comparedDurations: [MetricName] = [.timeOnStep, .timeToComplete, .timeToGoal]
  /// Points of curves over time.
  static let curves: [MetricName] = [
    .incidenceFinished, .incidenceSkipped, .incidenceAbandoned, .returnedBy,
  ]
  /// What reports say besides, and no target or rule can name.
  static let untargeted: [MetricName] =
    curves + [
      .activityOnly, .stepTransition, .stepReturn, .stepNextEvent, .timeToNextEventP50,
      .permissionJoint,
    ]
  /// Every name that is the same in all flows; durations are in it without their numbers.
  package static let fixed: [MetricName] =
    counts + numbersOfVariants + (rates + values + durations).map(\.name) + untargeted
  /// The numbers of a duration.
  static func numbers(of duration: MetricName) -> [MetricName] {
    [50, 75, 90, 95, 99].map { duration.percentile($0) } + [duration.numberOfValues]
  }

  /// The metrics of a flow. A flow whose skip leads to a step has no `skip_rate`.
  public init(_ flow: Flow) {
    let hasExposure = flow.experiments.contains { $0.exposure != nil }
    let hasDates = flow.experiments.contains {
      $0.startMilliseconds != nil || $0.endMilliseconds != nil
    }
    func isThere(_ name: MetricName) -> Bool {
      if Self.ofAssigned.contains(name) { return hasExposure }
      return name == .outsideExperiment ? hasDates : true
    }
    var metrics = Self.counts.filter(isThere).map { (name: $0, kind: StepKind.none) }
    metrics += Self.rates.filter {
      ($0.name != .skipRate || flow.skip == .ends)
        && ($0.name != .goalRateOverall || !flow.overallGoals.isEmpty)
    }
    if flow.goals.contains(where: { $0.value != nil }) {
      let hasEvents = flow.goals.contains(where: \.countsAmountPerEvent)
      metrics += Self.values.filter { hasEvents || $0.name != .goalValuePerEvent }
    }
    metrics += flow.retention.map { (name: MetricName.retention($0), kind: StepKind.none) }
    metrics += flow.commonCohortMeasures.map {
      (name: MetricName.retention(flow.retention[$0]).ofCommonCohort, kind: StepKind.none)
    }
    metrics += flow.overallRetention.map {
      (name: MetricName.retention(flow.retention[$0]).overall, kind: StepKind.none)
    }
    for duration in Self.durations {
      metrics += Self.numbers(of: duration.name).map { ($0, duration.kind) }
    }
    metrics += Self.numbersOfVariants.filter(isThere).map { (name: $0, kind: StepKind.none) }
    self.metrics = metrics
    kinds = Dictionary(metrics.map { ($0.name, $0.kind) }, uniquingKeysWith: { first, _ in first })
    self.flow = flow
  }

  /// What stands in the `step` column of a metric, plain or derived; `nil` where there is no such
  /// metric.
  public func kind(of metric: MetricName) -> StepKind? {
    if let plain = kinds[metric] { return plain }
    guard let base = metric.comparedNumber, !Self.counts.contains(base) else { return nil }
    return kinds[base]
  }

  /// Whether a metric is a share of persons, so that it can't be above 1.
  static func isRate(_ metric: MetricName) -> Bool {
    metric.isRetention || rates.contains { $0.name == metric }
  }

  /// The name that a wrong one was probably meant to be.
  func suggestion(for metric: MetricName) -> MetricName? {
    let names = metrics.map(\.name.rawValue)
    func nearest(_ name: MetricName) -> MetricName? {
      NearestSpelling.of(name.rawValue, among: names).map { MetricName(rawValue: $0) }
    }
    if let comparison = metric.comparison, let base = metric.comparedNumber.flatMap(nearest) {
      return base.compared(by: comparison)
    }
    return nearest(metric)
  }
}
