extension Flow {
  /// The retention measures that are also counted over their common cohort, by index: those of any
  /// activity since entry, where there are several (definitions 11.6).
  ///
  /// Each of them has people of its own, those whose window is over. Read as a curve they can rise
  /// because other people stand behind the later points.
  public var commonCohortMeasures: [Int] {
    let measures = retention.indices.filter {
      retention[$0].anchor == .entry && retention[$0].pattern == nil
    }
    return measures.count > 1 ? measures : []
  }
}
