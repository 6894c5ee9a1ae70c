extension Flow {
  /// Whether what people are cut by is decided for everybody before a retention measure's first
  /// day begins (definitions 11.4).
  ///
  /// Where it isn't, who finishes on day 1 is there on day 1: cut by outcome the measure would
  /// compare people who had to be there with people who didn't.
  ///
  /// - Parameter dimension: `outcome`, `used_skip`, or the id of a dimension.
  public func hasLandmark(_ measure: RetentionMeasure, cutBy dimension: String = "outcome") -> Bool
  {
    guard var decided = decidedWithinMilliseconds(dimension) else { return true }
    let days = measure.window.days.start - (day == .calendar ? 1 : 0)
    // An event may come as early as that before entry.
    if isAnchoredOnEvent(measure.anchor) { decided += leadMilliseconds }
    return Int64(days) * 86_400_000 >= decided
  }

  /// How long after entry a person's value may still be open; `nil` where it is known at entry.
  private func decidedWithinMilliseconds(_ dimension: String) -> Int64? {
    if ["outcome", "used_skip"].contains(dimension) { return windowMilliseconds }
    guard let own = dimensions.first(where: { $0.id == dimension }), own.isKnownLater else {
      return nil
    }
    return own.laterWithinMilliseconds ?? windowMilliseconds
  }

  /// The rates that have no number where people are cut by a dimension, by outcome or by use of
  /// skip: those of measures without a landmark, over any group of people.
  public func metricsWithoutLandmark(cutBy dimension: String = "outcome") -> Set<MetricName> {
    Set(retention.filter { !hasLandmark($0, cutBy: dimension) }.flatMap(metrics))
  }

  /// The rates that a retention measure is counted as: over its own people, over the common cohort
  /// and over everybody.
  func metrics(of measure: RetentionMeasure) -> [MetricName] {
    let own = MetricName.retention(measure)
    return [own, own.ofCommonCohort, own.overall]
  }

  /// Why a retention measure has no number by a dimension, by outcome or by use of skip; `nil`
  /// where it has.
  public func landmarkRefusal(
    _ measure: RetentionMeasure, cutBy dimension: String = "outcome"
  ) -> String? {
    if hasLandmark(measure, cutBy: dimension) { return nil }
    let day = measure.window.days.start
    let decided = DurationText.format(
      decidedWithinMilliseconds(dimension) ?? windowMilliseconds)
    if dimensions.contains(where: { $0.id == dimension }) {
      return "day \(day) may begin before '\(dimension)' is known, up to \(decided) after entry: "
        + "having a value would count as coming back"
    }
    return "day \(day) may begin before the outcome is decided, up to "
      + "\(decided) after entry: finishing would count as coming back"
  }

  /// Whether an anchor, directly or by way of the goals before it, is an event.
  private func isAnchoredOnEvent(_ anchor: Anchor) -> Bool {
    var anchor = anchor
    for _ in 0...goals.count {
      switch anchor {
      case .entry: return false
      case .event: return true
      case .goal(let index):
        guard goals.indices.contains(index) else { return false }
        anchor = goals[index].anchor
      }
    }
    return false
  }
}
