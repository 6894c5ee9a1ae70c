internal import FlowDefinition
internal import FunnelEngine

/// The tally's strata over dimensions and version, summed over variants, weeks and outcomes: who
/// came, and what they did, for taking the difference of two runs apart.
struct StrataSummary {
  struct Rate {
    var metric: String
    /// The goal; `all` where there is none.
    var step: String
  }
  struct Row {
    var version: String
    /// In the order of `dimensions`; a single `(other)` for what was not kept.
    var values: [String]
    /// For each rate the denominator, then the numerator.
    var counts: [Int]
  }

  let rates: [Rate]
  /// Those known at entry: what people got on the way is no kind of people.
  let dimensions: [String]
  /// In the order of version and values.
  let rows: [Row]

  init(_ analysis: Analysis) {
    let flow = analysis.flow
    dimensions = flow.dimensionsAtEntry.map { flow.dimensions[$0].id }
    var rates = [Rate(metric: "completion_rate", step: "all")]
    if flow.skip == .ends { rates.append(Rate(metric: "skip_rate", step: "all")) }
    rates.append(Rate(metric: "abandon_rate", step: "all"))
    let finished: Set<Outcome> = [.finished, .finishedAfterSkipping]
    let outcomes: [Set<Outcome>] =
      flow.skip == .ends ? [finished, [.skipped], [.abandoned]] : [finished, [.abandoned]]
    rates += flow.goals.map { Rate(metric: "goal_rate", step: $0.id) }
    rates += flow.retention.map { Rate(metric: "retention_\($0.id)", step: "all") }
    self.rates = rates

    struct Key: Hashable {
      var version: String
      var values: [String]
    }
    var sums: [Key: [Int]] = [:]
    for (key, counts) in analysis.tally.strata.rows {
      // The start week is the last of the values.
      let values = key.values.count > 1 ? Array(key.values.dropLast()) : key.values
      let place = Key(version: key.group.version, values: values)
      var own = outcomes.flatMap { [counts[0], $0.contains(key.outcome) ? counts[0] : 0] }
      own += counts.dropFirst()
      guard var sum = sums[place] else {
        sums[place] = own
        continue
      }
      for index in sum.indices { sum[index] += own[index] }
      sums[place] = sum
    }
    rows = sums.map { Row(version: $0.key.version, values: $0.key.values, counts: $0.value) }
      .sorted(by: StrataSummary.isBefore)
  }

  /// By the bytes of the version, then of each value.
  private static func isBefore(_ left: Row, _ right: Row) -> Bool {
    if !left.version.utf8.elementsEqual(right.version.utf8) {
      return left.version.utf8.lexicographicallyPrecedes(right.version.utf8)
    }
    return left.values.lexicographicallyPrecedes(right.values) {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }
}
