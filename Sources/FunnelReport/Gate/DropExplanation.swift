internal import FlowDefinition
internal import FunnelEngine

/// What contributes most to a change: a step, or a value of a dimension.
public struct DropContribution: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable {
    /// More were lost at this step.
    case step
    /// The rate within this value changed.
    case rate
    /// There are more or fewer persons with this value.
    case mix
  }
  public var kind: Kind
  /// `plan`, or `os=iOS 26.1`.
  public var name: String
  /// In points of the rate; below 0 it made the number smaller.
  public var points: Double
  /// The step's share of persons lost, the value's rate, or its share of persons: before and now.
  public var before: Double
  public var now: Double
}

/// Takes a changed rate apart.
///
/// By dimension: with weights w and rates r, the change is the sum over values of
/// (w1 − w0)(r̄ − R̄), the mix, and w̄(r1 − r0), the rate; r̄ and w̄ are means of before and now, R̄ the
/// mean of the whole (Kitagawa, "Components of a difference between two rates", JASA 50, 1955). By
/// step, for outcomes: the share of all persons who were lost there.
struct DropExplanation {
  static let outcomeMetrics = ["completion_rate", "abandon_rate", "skip_rate"]

  /// One side's numbers, wherever they come from.
  typealias Side = (_ metric: String, _ step: String, _ breakdown: BreakdownKey) -> MetricRow?

  let flow: Flow
  /// The values of dimensions that either side may have.
  let breakdowns: [BreakdownKey]
  let before: Side
  let now: Side

  /// The step and the value that contribute most, largest first; at most `limit` of each kind.
  func contributions(
    metric: String, step: String, worse: Double, limit: Int = 1
  ) -> [DropContribution] {
    var found: [DropContribution] = []
    if Self.outcomeMetrics.contains(metric) {
      // What is lost makes completion smaller; a step that loses more skips or falls silent.
      found += top(steps(), sign: -1, limit)
    }
    var ofDimensions: [DropContribution] = []
    for dimension in flow.dimensionsAtEntry.map({ flow.dimensions[$0].id }) {
      ofDimensions += parts(metric, step, dimension)
    }
    return found + top(ofDimensions, sign: worse, limit)
  }

  private func top(
    _ parts: [DropContribution], sign: Double, _ limit: Int
  ) -> [DropContribution] {
    let wrong = parts.filter { $0.points * sign > 0 }
    return Array(
      wrong.sorted {
        $0.points.magnitude != $1.points.magnitude
          ? $0.points.magnitude > $1.points.magnitude
          : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
      }.prefix(limit))
  }

  /// Persons lost at each step, of all persons.
  private func steps() -> [DropContribution] {
    guard let before = self.before("persons", "all", .all)?.numerator, before > 0,
      let now = self.now("persons", "all", .all)?.numerator, now > 0
    else { return [] }
    return (["(entry)"] + flow.steps.map(\.id)).compactMap { step in
      let lost = (
        self.before("step_drop_off", step, .all)?.numerator ?? 0,
        self.now("step_drop_off", step, .all)?.numerator ?? 0
      )
      let shares = (Double(lost.0) / Double(before), Double(lost.1) / Double(now))
      return DropContribution(
        kind: .step, name: step, points: shares.0 - shares.1, before: shares.0, now: shares.1)
    }
  }

  private func parts(
    _ metric: String, _ step: String, _ dimension: String
  ) -> [DropContribution] {
    let values = breakdowns.filter { $0.dimension == dimension }
    func counts(_ side: Side, _ key: BreakdownKey) -> (met: Double, of: Double) {
      let row = side(metric, step, key)
      return (Double(row?.numerator ?? 0), Double(row?.denominator ?? 0))
    }
    let old = values.map { counts(before, $0) }
    let new = values.map { counts(now, $0) }
    let sums = (old.reduce(0) { $0 + $1.of }, new.reduce(0) { $0 + $1.of })
    guard sums.0 > 0, sums.1 > 0, values.count > 1 else { return [] }
    let whole =
      (old.reduce(0) { $0 + $1.met } / sums.0 + new.reduce(0) { $0 + $1.met } / sums.1) / 2
    var parts: [DropContribution] = []
    for (index, key) in values.enumerated() {
      let (one, other) = (old[index], new[index])
      let weights = (one.of / sums.0, other.of / sums.1)
      // A value that one side lacks has the other's rate, so that all of it is mix.
      guard one.of + other.of > 0 else { continue }
      let rates = (
        one.of > 0 ? one.met / one.of : other.met / other.of,
        other.of > 0 ? other.met / other.of : one.met / one.of
      )
      let name = "\(dimension)=\(key.value)"
      parts.append(
        DropContribution(
          kind: .mix, name: name,
          points: (weights.1 - weights.0) * ((rates.0 + rates.1) / 2 - whole),
          before: weights.0, now: weights.1))
      parts.append(
        DropContribution(
          kind: .rate, name: name, points: (weights.0 + weights.1) / 2 * (rates.1 - rates.0),
          before: rates.0, now: rates.1))
    }
    return parts
  }
}
