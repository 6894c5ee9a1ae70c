internal import ExperimentStatistics
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
    /// Only one side has persons with this value.
    case newKind = "new_kind"
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
/// By dimension: the mix, the rate or the new kind that a value is (``MixAndRate``). By step, for
/// outcomes: the share of all persons who were lost there.
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
    func proportion(_ side: Side, _ key: BreakdownKey) -> Proportion {
      let row = side(metric, step, key)
      return Proportion(successes: row?.numerator ?? 0, trials: row?.denominator ?? 0)
    }
    let strata = values.map {
      MixAndRate.Stratum(
        values: [$0.value], before: proportion(before, $0), after: proportion(now, $0))
    }
    guard values.count > 1, let whole = MixAndRate(strata, dimensions: [dimension]) else {
      return []
    }
    let sums = (
      whole.parts.reduce(0) { $0 + $1.before.trials },
      whole.parts.reduce(0) { $0 + $1.after.trials }
    )
    return whole.parts.flatMap { part -> [DropContribution] in
      let name = "\(dimension)=\(part.values.joined())"
      let shares = (
        Double(part.before.trials) / Double(sums.0), Double(part.after.trials) / Double(sums.1)
      )
      func contribution(_ kind: DropContribution.Kind, _ points: Double) -> DropContribution {
        DropContribution(
          kind: kind, name: name, points: points, before: shares.0, now: shares.1)
      }
      guard let old = part.before.estimate, let new = part.after.estimate else {
        return [contribution(.newKind, part.newKinds)]
      }
      return [
        contribution(.mix, part.mix),
        DropContribution(kind: .rate, name: name, points: part.rate, before: old, now: new),
      ]
    }
  }
}
