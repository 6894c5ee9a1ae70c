public import ExperimentStatistics

/// Where a metric of an experiment with a planned size stands.
public enum LookPhase: Sendable, Hashable {
  /// Looked at with always-valid intervals: how many people each group lacks of the planned size.
  case watched(planned: Int, missing: Power.SampleSize)
  /// Decided at the planned size: by the people who entered up to the end of a cohort.
  case planned(Int, lastCohort: String)

  /// The share of alpha that the metric's tests have.
  package var alphaShare: Double {
    switch self {
    case .watched: AlphaSpending.watchedShare
    case .planned: AlphaSpending.plannedShare
    }
  }

  /// Of a metric that is still looked at every day: the people missing of the planned size.
  package var missing: Power.SampleSize? {
    if case .watched(_, let missing) = self { missing } else { nil }
  }

  /// A name for tables.
  package var name: String {
    switch self {
    case .watched: "always valid until the planned size"
    case .planned: "planned size"
    }
  }
}
