/// Which measures compare all who were assigned to a variant.
///
/// People are assigned at entry at the latest. A rate among those who did something after that is
/// not a comparison of like with like: the variant decides who is in it (definitions 6.8).
extension Flow {
  /// Whether a goal's denominator is fixed at entry.
  public func isRandomised(_ goal: Goal) -> Bool {
    goal.anchor == .entry && goal.ofViewedStep == nil
  }

  /// Whether a retention measure's denominator is fixed at entry.
  public func isRandomised(_ measure: RetentionMeasure) -> Bool { measure.anchor == .entry }

  /// Goals whose rate has an overall one beside it, as indices.
  public var overallGoals: [Int] { goals.indices.filter { !isRandomised(goals[$0]) } }

  /// Retention measures with an overall one, as indices.
  public var overallRetention: [Int] { retention.indices.filter { !isRandomised(retention[$0]) } }

  /// How long after entry an anchor can lie and still count in overall rates, in milliseconds.
  public func latestMilliseconds(of anchor: Anchor) -> Int64 {
    latest(anchor, depth: goals.count)
  }

  /// `depth` ends the recursion for values not made by the parser, which refuses cycles.
  private func latest(_ anchor: Anchor, depth: Int) -> Int64 {
    switch anchor {
    case .entry: return 0
    case .event: return windowMilliseconds
    case .goal(let index):
      guard goals.indices.contains(index), depth > 0 else { return 0 }
      return latest(goals[index].anchor, depth: depth - 1) + goals[index].withinMilliseconds
    }
  }
}
