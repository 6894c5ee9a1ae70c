extension Flow {
  /// Whether everybody's outcome is decided before a retention measure's first day begins
  /// (definitions 11.4).
  ///
  /// Where it isn't, who finishes on day 1 is there on day 1: cut by outcome the measure would
  /// compare people who had to be there with people who didn't.
  public func hasLandmark(_ measure: RetentionMeasure) -> Bool {
    let days = measure.window.days.start - (day == .calendar ? 1 : 0)
    // An event may come as early as a window before entry.
    let windows: Int64 = isAnchoredOnEvent(measure.anchor) ? 2 : 1
    return Int64(days) * 86_400_000 >= windows * windowMilliseconds
  }

  /// The rates that have no number by outcome or by use of skip: those of measures without a
  /// landmark, over any group of people.
  public var metricsWithoutLandmark: Set<String> {
    Set(retention.filter { !hasLandmark($0) }.flatMap(metrics))
  }

  /// The rates that a retention measure is counted as: over its own people, over the common cohort
  /// and over everybody.
  func metrics(of measure: RetentionMeasure) -> [String] {
    ["", Flow.commonCohortSuffix, Flow.overallSuffix].map { "retention_\(measure.id)\($0)" }
  }

  /// Why a retention measure has no number by outcome or by use of skip; `nil` where it has.
  public func landmarkRefusal(_ measure: RetentionMeasure) -> String? {
    if hasLandmark(measure) { return nil }
    let window = DurationText.format(windowMilliseconds)
    return "day \(measure.window.days.start) may begin before the outcome is decided, up to "
      + "\(window) after entry: finishing would count as coming back"
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
