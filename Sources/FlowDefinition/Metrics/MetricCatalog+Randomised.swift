/// Which rates can be held against the control's.
extension MetricCatalog {
  /// Rates among those who did something after entry.
  private static let amongSome: Set<MetricName> = [
    .stepConversion, .stepCompletion, .stepDropOff, .stepLeftSkipping, .stepAbandoned,
    .stepAbandonedAfterDenial, .stepWentBack, .stepDeclined, .branchTaken, .skipShare,
    .permissionAcceptance, .permissionRecovered, .permissionLeftAfterDenial, .funnelStep,
  ]

  /// Why variants can't be compared by a metric: whom it is about is not settled at entry, so the
  /// variant has a part in it (definitions 6.8), or they are compared by accounts, which a rule
  /// knows nothing of. `nil` where they can.
  func selection(_ place: MetricPlace) -> MetricRefusal? {
    let metric = place.metric
    if let experiment = place.experiment, experiment.clusterPath != nil {
      return MetricRefusal(
        key: "metric",
        message: "variants of '\(experiment.id)' are compared by accounts, and rules against the "
          + "control by people: hold the lift or the difference to a bound",
        metrics: [metric.compared(by: .lift), metric.compared(by: .difference)])
    }
    let later = flow.dimensions.filter(\.isKnownLater).map(\.id)
    if let dimension = place.dimension, (["used_skip", "outcome"] + later).contains(dimension) {
      return refusal("breakdown", "'\(dimension)' is settled after entry", [])
    }
    if Self.durationMeasure(of: metric) != nil {
      return refusal(
        "metric", "'\(metric)' is of those who got there", [.completionRate])
    }
    let isOfPersons = place.step == "(entry)"
    if Self.amongSome.contains(metric) && !isOfPersons {
      return refusal(
        "metric", "'\(metric)' is a rate among those who got there",
        [.completionRate, .stepReach, .permissionOptIn])
    }
    let goal = String(place.step.prefix { $0 != ":" })
    let overall = metric.overall
    let isOverall =
      flow.testedRate(for: overall, step: goal) != nil || flow.testedRate(for: overall) != nil
    return isOverall
      ? refusal(
        "metric", "'\(metric)' is a rate among those who got somewhere after entry",
        [overall]) : nil
  }

  private func refusal(
    _ key: String, _ what: String, _ metrics: [MetricName]
  ) -> MetricRefusal {
    MetricRefusal(
      key: key,
      message: what + ", and the variant has a part in who that is: it can't be held against the "
        + "control", metrics: metrics)
  }
}
