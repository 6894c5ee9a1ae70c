internal import FlowDefinition
internal import FunnelEngine

/// The tally's strata over dimensions and version, summed over variants, weeks and outcomes: who
/// came, and what they did, for taking the difference of two runs apart.
///
/// A few hundred people in dozens of combinations of eight dimensions are nearly all of a kind of
/// their own. Such people have no counterpart in another run, and their strata say what each of
/// them did, so then each dimension stands by itself. So it does where there are more combinations
/// than are kept: another run keeps others.
struct StrataSummary {
  struct Rate {
    var metric: MetricName
    /// The goal; `all` where there is none.
    var step: String
  }
  struct Row {
    var version: String
    /// The one dimension whose value it is; `nil` where rows are of all of them at once.
    var dimension: String?
    /// In the order of `dimensions`; a single `(other)` for what was not kept.
    var values: [String]
    /// For each rate the denominator, then the numerator.
    var counts: [Int]
  }

  let rates: [Rate]
  /// Those known at entry: what people got on the way is no kind of people.
  let dimensions: [String]
  /// In the order of version and values; by each dimension in turn where they are not of all.
  package let rows: [Row]

  /// Of fewer people for each combination of values, on average, combinations are left out.
  static let fewestPeople = 2

  init(_ analysis: Analysis) {
    let flow = analysis.flow
    dimensions = flow.dimensionsAtEntry.map { flow.dimensions[$0].id }
    var rates = [Rate(metric: .completionRate, step: "all")]
    if flow.skip == .ends { rates.append(Rate(metric: .skipRate, step: "all")) }
    rates.append(Rate(metric: .abandonRate, step: "all"))
    let finished: Set<Outcome> = [.finished, .finishedAfterSkipping]
    let outcomes: [Set<Outcome>] =
      flow.skip == .ends ? [finished, [.skipped], [.abandoned]] : [finished, [.abandoned]]
    rates += flow.goals.map { Rate(metric: .goalRate, step: $0.id) }
    rates += flow.retention.map { Rate(metric: .retention($0), step: "all") }
    self.rates = rates

    let joint = StrataSummary.joint(analysis, outcomes)
    let people = joint.reduce(0) { $0 + $1.counts[0] }
    let keepsAll = !analysis.tally.strata.rows.keys.contains(where: \.isOther)
    let isJoint =
      dimensions.count < 2
      || keepsAll
        && (analysis.recorded.isWhole || people >= joint.count * StrataSummary.fewestPeople)
    rows =
      isJoint
      ? joint
      : dimensions.enumerated().flatMap { StrataSummary.rows(joint, of: $0.element, at: $0.offset) }
  }

  private struct Key: Hashable {
    var version: String
    var values: [String]
  }

  /// By all dimensions at once.
  private static func joint(_ analysis: Analysis, _ outcomes: [Set<Outcome>]) -> [Row] {
    var sums: [Key: [Int]] = [:]
    for (key, counts) in analysis.tally.strata.rows {
      // The start week is the last of the values.
      let values = key.values.count > 1 ? Array(key.values.dropLast()) : key.values
      let place = Key(version: key.group.version, values: values)
      var own = outcomes.flatMap { [counts[0], $0.contains(key.outcome) ? counts[0] : 0] }
      own += counts.dropFirst()
      add(own, to: &sums[place])
    }
    return sums.map { Row(version: $0.key.version, values: $0.key.values, counts: $0.value) }
      .sorted(by: isBefore)
  }

  /// The people of the combinations by one dimension. What was not kept has no value of any.
  private static func rows(_ joint: [Row], of dimension: String, at place: Int) -> [Row] {
    var sums: [Key: [Int]] = [:]
    for row in joint {
      let value = row.values.count == 1 ? row.values[0] : row.values[place]
      add(row.counts, to: &sums[Key(version: row.version, values: [value])])
    }
    return sums.map {
      Row(
        version: $0.key.version, dimension: dimension, values: $0.key.values, counts: $0.value)
    }.sorted(by: isBefore)
  }

  private static func add(_ counts: [Int], to sum: inout [Int]?) {
    sum = sum.map { zip($0, counts).map(+) } ?? counts
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
