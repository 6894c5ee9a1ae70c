/// Why there is no such number, whatever the data are.
struct MetricRefusal {
  /// The key of the target or rule that asks for it.
  var key: String
  var message: String
  var allowed: [String] = []
}

extension MetricRefusal {
  /// A refusal in favour of other metrics.
  init(key: String, message: String, metrics: [MetricName]) {
    self.init(key: key, message: message, allowed: metrics.map(\.rawValue))
  }
}

/// Which metrics have a number in which slices. Reports make the numbers; a test holds this against
/// the rows that they make.
extension MetricCatalog {
  private static let overEverybody: Set<MetricName> = [.orphans, .existingUsers]
  private static let atEntry: Set<MetricName> = [
    .stepDropOff, .stepLeftSkipping, .stepAbandoned, .stepAbandonedAfterDenial,
  ]
  /// Why a metric can never have a number in the slice that a target names; `nil` where it can.
  public func impossibility(of target: Target) -> String? {
    refusal(MetricPlace(target.metric, step: target.step, in: target.slice, of: flow))?.message
  }

  /// Why a place of any kind can never have a number, with the key that the error should name.
  func refusal(_ place: MetricPlace) -> MetricRefusal? {
    if place.version != .all, place.variant != .all {
      return MetricRefusal(
        key: "version", message: "a slice is cut by version or by variant, not by both")
    }
    if place.isAgainstControl, let refusal = selection(place) { return refusal }
    return valueRefusal(place) ?? emptyRefusal(place) ?? landmarkRefusal(place)
      ?? kindRefusal(place) ?? stepRefusal(place) ?? goalRefusal(place)
  }

  /// Values of the reports' own dimensions are known.
  private func valueRefusal(_ place: MetricPlace) -> MetricRefusal? {
    guard let dimension = place.dimension, let value = place.value else { return nil }
    let skipped = flow.skip == .ends ? ["finished_after_skipping", "skipped"] : []
    let known = [
      "used_skip": ["yes", "no"], "outcome": ["finished"] + skipped + ["abandoned", "(open)"],
    ]
    guard let values = known[dimension], !values.contains(value) else { return nil }
    return MetricRefusal(
      key: "breakdown", message: "nobody's '\(dimension)' is '\(value)'",
      allowed: values.map { "\(dimension)=\($0)" })
  }

  /// Of retention by what is known later, such as the outcome: only where that is decided for
  /// everybody before the first day begins.
  private func landmarkRefusal(_ place: MetricPlace) -> MetricRefusal? {
    let isCompared = place.metric.comparison?.isObservational == true
    guard let dimension = isCompared ? "outcome" : place.dimension,
      let measure = retention(
        isCompared ? place.metric.comparedNumber ?? place.metric : place.metric),
      let reason = flow.landmarkRefusal(measure, cutBy: dimension)
    else { return nil }
    let cut = isCompared ? "finishers against skippers" : "by '\(dimension)'"
    return MetricRefusal(
      key: isCompared ? "metric" : "breakdown",
      message: "'\(MetricName.retention(measure))' has no number \(cut): \(reason)",
      metrics: flow.retention.filter { flow.hasLandmark($0, cutBy: dimension) }
        .map { .retention($0) })
  }

  /// The measure that a retention metric is of.
  private func retention(_ metric: MetricName) -> RetentionMeasure? {
    flow.retention.first { flow.metrics(of: $0).contains(metric) }
  }

  private func kindRefusal(_ place: MetricPlace) -> MetricRefusal? {
    let metric = place.metric
    if let comparison = metric.comparison {
      return comparison.isObservational ? observationalRefusal(place) : comparisonRefusal(place)
    }
    if Self.durations.contains(where: { metric.isNumber(of: $0.name) }) {
      guard let dimension = place.dimension, dimension != "used_skip" else { return nil }
      return MetricRefusal(
        key: "breakdown",
        message: "durations are not cut by '\(dimension)': '\(metric)' is known for everybody, "
          + "for a version or a variant, and by used_skip",
        allowed: ["used_skip=yes", "used_skip=no"])
    }
    if metric == .goalRateOverall, !place.step.isEmpty,
      let goal = flow.goals.first(where: { $0.id == place.step }), flow.isRandomised(goal)
    {
      return MetricRefusal(
        key: "goal", message: "'goal_rate' of '\(goal.id)' is of everybody already",
        allowed: flow.overallGoals.map { flow.goals[$0].id })
    }
    if Self.overEverybody.contains(metric) {
      return uncutRefusal(place, "'\(metric)' is counted over everybody", allows: [])
    }
    if metric == .unassigned || metric == .outsideExperiment {
      let isHeld = metric == .unassigned
      let gate = isHeld ? "; a gate holds it as {quality: unassigned, at_most: 5%}" : ""
      return MetricRefusal(
        key: "metric",
        message: "'\(metric)' counts people without a variant, who are in no slice that can be "
          + "named" + gate)
    }
    if Self.numbersOfVariants.contains(metric) || Self.experimentCounts.contains(metric) {
      let isOfAssigned = Self.ofAssigned.contains(metric)
      if isOfAssigned, let experiment = place.experiment, experiment.exposure == nil {
        return MetricRefusal(
          key: "metric",
          message: "experiment '\(experiment.id)' declares no 'exposure', so "
            + "everybody assigned is counted anyway")
      }
      if place.variant == .all {
        return MetricRefusal(
          key: "metric", message: "'\(metric)' is a number of a variant: 'variant' is missing",
          allowed: variantNames(place))
      }
      return uncutRefusal(place, "'\(metric)' is a number of a whole variant", allows: ["variant"])
    }
    return nil
  }

  /// The first key of a slice that a metric isn't cut by.
  private func uncutRefusal(
    _ place: MetricPlace, _ reason: String, allows keys: [String]
  ) -> MetricRefusal? {
    let cuts = [
      ("version", place.version != .all), ("variant", place.variant != .all),
      ("breakdown", place.dimension != nil),
    ]
    return cuts.first { $0.1 && !keys.contains($0.0) }.map {
      MetricRefusal(key: $0.0, message: "\(reason) and not by '\($0.0)'")
    }
  }

  /// Of a variant against its control.
  private func comparisonRefusal(_ place: MetricPlace) -> MetricRefusal? {
    let metric = place.metric
    if let refusal = testedRefusal(place) { return refusal }
    if metric.comparison == .probabilityBetter, let experiment = place.experiment,
      experiment.splits.count > 1
    {
      return MetricRefusal(
        key: "metric",
        message: "the split of experiment '\(experiment.id)' changes, and probabilities are of one "
          + "split only",
        metrics: metric.comparedNumber.map { [$0.compared(by: .difference)] } ?? [])
    }
    switch place.variant {
    case .all:
      return MetricRefusal(
        key: "metric",
        message: "'\(metric)' compares a variant with its control: 'variant' is missing",
        allowed: variantNames(place))
    case .one(let variant):
      if let own = place.experiment, own.controlID == variant {
        return MetricRefusal(
          key: "variant", message: "'\(variant)' is the control itself",
          allowed: variantNames(place))
      }
    case .each: break
    }
    return uncutRefusal(place, "variants are compared as a whole", allows: ["variant"])
  }

  private func variantNames(_ place: MetricPlace) -> [String] {
    guard let own = place.experiment else { return [] }
    let isComparison = place.isOfVariantAndControl
    return own.variants.indices.filter { !isComparison || $0 != own.control }
      .map { own.variants[$0].id }
  }

  /// Whether experiments compare a rate at all, and under this name.
  private func testedRefusal(_ place: MetricPlace) -> MetricRefusal? {
    guard let comparison = place.metric.comparison, let base = place.metric.comparedNumber else {
      return nil
    }
    if let quantile = Self.quantile(of: base) {
      guard Self.comparedDurations.contains(quantile.measure) else {
        return MetricRefusal(
          key: "metric", message: "experiments don't compare '\(quantile.measure)'",
          metrics: Self.comparedDurations.map { $0.percentile(50).compared(by: .difference) })
      }
      if let experiment = place.experiment, experiment.splits.count > 1 {
        return MetricRefusal(
          key: "metric",
          message: "the split of experiment '\(experiment.id)' changes, and times are not compared "
            + "within its periods", metrics: [.completionRate.compared(by: .difference)])
      }
      if comparison == .difference, [50, 90].contains(quantile.percent) { return nil }
      return MetricRefusal(
        key: "metric",
        message: "of '\(quantile.measure)' only medians and 90th percentiles are "
          + "compared, by their difference",
        metrics: [50, 90].map { quantile.measure.percentile($0).compared(by: .difference) })
    }
    let steps = place.step.isEmpty ? candidateSteps(base) : [place.step]
    let found = steps.compactMap { flow.testedRate(for: base, step: $0) }
    guard let tested = found.first else {
      let overall = steps.contains { flow.testedRate(for: base.overall, step: $0) != nil }
      if overall {
        return MetricRefusal(
          key: "metric",
          message: "'\(base)' is a rate among those who got somewhere after entry, which is no "
            + "comparison of like with like: experiments compare it over everybody assigned",
          metrics: [base.overall.compared(by: comparison)])
      }
      let names = Set(flow.testedRates.map { $0.metric.compared(by: comparison) })
      let isPart = [.goalRate, .goalRateOverall].contains(base) && names.contains(place.metric)
      return MetricRefusal(
        key: isPart && !place.step.isEmpty ? "goal" : "metric",
        message: isPart
          ? "experiments don't compare '\(place.step)' under this name"
          : "experiments don't compare '\(base)'",
        allowed: isPart
          ? flow.testedRates.filter { $0.metric == base }.map(\.step)
          : names.sorted().map(\.rawValue))
    }
    let isOwn = found.contains { $0.metric == base && steps.contains($0.step) }
    return isOwn
      ? nil
      : MetricRefusal(
        key: "metric",
        message: "'\(base)\(tested.step == "all" ? "" : " " + place.step)' is the "
          + "same quantity as '\(tested.metric)\(tested.step == "all" ? "" : " " + tested.step)', "
          + "which is tested once", metrics: [tested.metric.compared(by: comparison)])
  }

  private func candidateSteps(_ rate: MetricName) -> [String] {
    switch rate {
    case .goalRate, .goalRateOverall: flow.goals.map(\.id)
    case .permissionOptIn: flow.permissions
    default: ["all"]
    }
  }

  /// Of those who finished over those who skipped.
  private func observationalRefusal(_ place: MetricPlace) -> MetricRefusal? {
    guard let comparison = place.metric.comparison, let base = place.metric.comparedNumber else {
      return nil
    }
    if flow.skip != .ends {
      return MetricRefusal(
        key: "metric",
        message: "where skip leads to a step, nobody's outcome is 'skipped', and "
          + "finishers can't be compared with skippers")
    }
    guard flow.retention.contains(where: { base == .retention($0) }) else {
      return MetricRefusal(
        key: "metric",
        message: "finishers and skippers are compared by retention only, over days that begin when "
          + "every outcome is decided",
        metrics: flow.retention.filter { flow.hasLandmark($0) }.map {
          .retention($0).compared(by: comparison)
        })
    }
    return comparison == .observationalLiftStratified
      ? uncutRefusal(place, "'\(place.metric)' is taken over everybody", allows: [])
      : uncutRefusal(
        place, "'\(place.metric)' is itself a comparison of outcomes",
        allows: ["version", "variant"])
  }

  // MARK: Steps

  private func stepRefusal(_ place: MetricPlace) -> MetricRefusal? {
    guard kind(of: place.metric) == .step, !place.step.isEmpty else { return nil }
    if place.step == "(entry)" {
      return Self.atEntry.contains(place.metric)
        ? nil
        : MetricRefusal(
          key: "step", message: "'\(place.metric)' has no '(entry)': nobody views it",
          allowed: Self.atEntry.sorted().map { "\($0) (entry)" })
    }
    if place.step == "(unknown)" {
      return place.metric == .skipShare
        ? nil
        : MetricRefusal(
          key: "step", message: "only 'skip_share' has a page '(unknown)'",
          allowed: flow.steps.map(\.id))
    }
    guard let step = flow.stepIndex(place.step) else { return nil }
    if place.metric == .branchTaken, flow.steps[step].branchOf == nil {
      return MetricRefusal(
        key: "step", message: "'\(place.step)' branches off no step",
        allowed: flow.steps.filter { $0.branchOf != nil }.map(\.id))
    }
    // A skip names any page; everything else is of those whose list has the step.
    if place.metric == .skipShare { return nil }
    return listRefusal(place, step, key: "step")
  }

  /// Whether anybody of a slice, and of the control that it is held against, can see a step.
  private func listRefusal(_ place: MetricPlace, _ step: Int, key: String) -> MetricRefusal? {
    let name = flow.steps[step].id
    if !lists(of: place).contains(where: { $0.contains(step) }) {
      return MetricRefusal(key: key, message: "no list of steps there has '\(name)'")
    }
    guard place.isAgainstControl || place.isOfVariantAndControl, let own = place.experiment else {
      return nil
    }
    var control = place
    control.variant = .one(own.controlID)
    if lists(of: control).contains(where: { $0.contains(step) }) { return nil }
    return MetricRefusal(
      key: key, message: "no list of steps of the control '\(own.controlID)' has '\(name)'")
  }

  /// The lists that persons of a slice may have (definitions 4.2).
  private func lists(of place: MetricPlace) -> [[Int]] {
    let own = flow.experiments.flatMap { $0.variants.compactMap(\.steps) }
    let versions = [flow.defaultList] + flow.versions.map(\.steps)
    switch (place.version, place.variant) {
    case (.one(let version), _):
      return [flow.versions.first { $0.name == version }?.steps ?? flow.defaultList] + own
    case (_, .one(let variant)):
      // Everybody there has this variant of the experiment: its list, or that of an experiment
      // which decides before it, or where it has none of any other and of the versions.
      let index = flow.experiments.firstIndex { $0.id == place.experiment?.id } ?? 0
      let before = flow.experiments[..<index].flatMap { $0.variants.compactMap(\.steps) }
      if let list = place.experiment?.variants.first(where: { $0.id == variant })?.steps {
        return [list] + before
      }
      let after = flow.experiments[(index + 1)...].flatMap { $0.variants.compactMap(\.steps) }
      return versions + before + after
    default: return versions + own
    }
  }

  // MARK: Goals

  private func goalRefusal(_ place: MetricPlace) -> MetricRefusal? {
    guard kind(of: place.metric) == .goal,
      let goal = flow.goals.first(where: { $0.id == place.step.prefix { $0 != ":" } })
    else { return nil }
    if place.step.contains(":") {
      let base = place.metric.comparedNumber ?? place.metric
      if Self.durations.contains(where: { base.isNumber(of: $0.name) }) {
        return MetricRefusal(
          key: "goal", message: "times to a goal are not cut by its values", allowed: [goal.id])
      }
      if Self.values.contains(where: { place.metric == $0.name }) {
        return MetricRefusal(
          key: "goal", message: "amounts are not cut by a goal's values", allowed: [goal.id])
      }
      if goal.by == nil {
        return MetricRefusal(
          key: "goal", message: "goal '\(goal.id)' has no values: it has no 'by'",
          allowed: [goal.id])
      }
    }
    if goal.value == nil, Self.values.contains(where: { place.metric == $0.name }) {
      return MetricRefusal(
        key: "goal", message: "goal '\(goal.id)' has no amounts: it has no 'value'",
        allowed: flow.goals.filter { $0.value != nil }.map(\.id))
    }
    if !goal.countsAmountPerEvent, place.metric == .goalValuePerEvent {
      return MetricRefusal(
        key: "goal",
        message: "goal '\(goal.id)' has no amount per event: its 'value' has no "
          + "'per_event: true'",
        allowed: flow.goals.filter(\.countsAmountPerEvent).map(\.id))
    }
    // The overall rate is of everybody, whatever their list.
    if place.metric.isOverall { return nil }
    return goal.ofViewedStep.flatMap { listRefusal(place, $0, key: "goal") }
  }
}
