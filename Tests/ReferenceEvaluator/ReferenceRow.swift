/// One number of one slice: a line of `metrics.csv` without what inference adds.
package struct ReferenceRow: Hashable, Comparable, Sendable {
  package var version: String
  package var experiment: String
  package var variant: String
  package var cohort: String
  /// `dimension=value`, or `all`.
  package var breakdown: String
  package var metric: String
  /// The step, goal, permission …; `all` where the metric has none.
  package var step: String
  package var numerator: Int
  /// `nil` where the metric is a count or a duration.
  package var denominator: Int?

  package init(
    version: String = "all", experiment: String = "all", variant: String = "all",
    cohort: String = "all", breakdown: String = "all", metric: String, step: String = "all",
    numerator: Int, denominator: Int? = nil
  ) {
    self.version = version
    self.experiment = experiment
    self.variant = variant
    self.cohort = cohort
    self.breakdown = breakdown
    self.metric = metric
    self.step = step
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Everything but the numbers, for looking a row up and for ordering.
  package var key: [String] {
    [version, experiment, variant, cohort, breakdown, metric, step]
  }

  package static func < (left: ReferenceRow, right: ReferenceRow) -> Bool {
    // Column by column: comparing keys would make two arrays each time.
    if left.version != right.version { return left.version < right.version }
    if left.experiment != right.experiment { return left.experiment < right.experiment }
    if left.variant != right.variant { return left.variant < right.variant }
    if left.cohort != right.cohort { return left.cohort < right.cohort }
    if left.breakdown != right.breakdown { return left.breakdown < right.breakdown }
    if left.metric != right.metric { return left.metric < right.metric }
    if left.step != right.step { return left.step < right.step }
    if left.numerator != right.numerator { return left.numerator < right.numerator }
    return (left.denominator ?? -1) < (right.denominator ?? -1)
  }
}

/// What the reference makes of a dump.
///
/// Which rows there are: `all`, every declared version and every declared variant always have
/// theirs; any other slice has them where somebody entered. In each, the metrics of the flow's
/// steps, permissions, goals, friction, retention and funnels are there even as 0/0, while
/// `goal:value` and `permission_joint` rows are there only with a numerator. Durations
/// (`time_…_n`, and `_p50` … in milliseconds where n > 0) are cut by `used_skip` alone.
/// `orphans`, `existing_users` and `activity_only` are of everybody; `contaminated` is on the arms,
/// uncut, `unassigned` on `(unassigned)`; both are of all who entered.
package struct ReferenceResult: Sendable {
  /// Sorted; no two rows have the same key.
  package var rows: [ReferenceRow]
  /// `nil` where there is no fact and no `asOf`.
  package var horizonMilliseconds: Int64?
  /// Counts that are in no slice: `implied_start`, `ambiguous_page` …
  package var quality: [String: Int]
  /// Dates on which starts are missing (definitions 16).
  package var missingStarts: Set<String> = []
  /// Runs of dates of which nobody did what is usual (definitions 16).
  package var stoppedEvents: Set<String> = []
}
