internal import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics

/// Takes a changed rate apart, and names what departs from the rest.
///
/// By dimension: the rate of a value that changed otherwise than the rate of the others
/// (``SliceDeparture``), a value that there is more or less of, and the kinds that only one side
/// has; each with its part of the change (``MixAndRate``). By step, for outcomes: a step at which
/// a larger share of those who are lost is lost. All these tests are one family (Holm's): where
/// none of them shows a departure the change is everywhere alike, and no step and no value is named
/// for being the largest.
struct DropExplanation {
  /// What flow versions are taken for: the values of a dimension. No flow can declare it.
  static let version = "flow version"

  static let outcomeMetrics: [MetricName] = [.completionRate, .abandonRate, .skipRate]

  /// One side's numbers, wherever they come from.
  typealias Side = (_ metric: MetricName, _ step: String, _ breakdown: BreakdownKey) -> MetricRow?

  let flow: Flow
  /// The values of dimensions that either side may have.
  let breakdowns: [BreakdownKey]
  /// The chance that anything is named where the change is alike everywhere.
  let alpha: Double
  let before: Side
  let now: Side

  /// Something that may be named, with the p-value of its being like the rest.
  private struct Candidate {
    var part: DropContribution
    var p: Double
  }

  /// The step and the value that contribute most of those that depart from the rest, largest
  /// first; at most `limit` of each kind. Empty where the change is alike everywhere.
  ///
  /// - Parameter worse: 1 where more of the number is worse, -1 where less is.
  /// - Returns: `nil` where there is nothing to compare: no steps and no values.
  func contributions(
    metric: MetricName, step: String, worse: Double, limit: Int = 1
  ) -> [DropContribution]? {
    let steps = Self.outcomeMetrics.contains(metric) ? ofSteps() : []
    let dimensions = flow.dimensionsAtEntry.map { flow.dimensions[$0].id } + [Self.version]
    let values = dimensions.flatMap { parts(metric, step, $0, worse) }
    let all = steps + values
    if all.isEmpty { return nil }
    let adjusted = MultipleTesting.holm.adjust(all.map(\.p))
    let named = zip(all, adjusted).map { candidate, p in
      var part = candidate.part
      part.adjustedP = p
      return part
    }
    // What is lost makes completion smaller; a step that loses more skips or falls silent.
    return top(named.prefix(steps.count), sign: -1, limit)
      + top(named.dropFirst(steps.count), sign: worse, limit)
  }

  private func top(
    _ parts: some Sequence<DropContribution>, sign: Double, _ limit: Int
  ) -> [DropContribution] {
    // A shift can be certain and too small to matter.
    let wrong = parts.filter {
      $0.points * sign > 0 && $0.adjustedP < alpha && ($0.shareOfChange ?? 1) >= 0.1
    }
    return Array(
      wrong.sorted {
        $0.points.magnitude != $1.points.magnitude
          ? $0.points.magnitude > $1.points.magnitude
          : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
      }.prefix(limit))
  }

  /// Persons lost at each step, of all persons, and of all who are lost.
  private func ofSteps() -> [Candidate] {
    guard let before = self.before(.persons, "all", .all)?.numerator, before > 0,
      let now = self.now(.persons, "all", .all)?.numerator, now > 0
    else { return [] }
    let steps = ["(entry)"] + flow.steps.map(\.id)
    let lost = steps.map { step in
      (
        before: self.before(.stepDropOff, step, .all)?.numerator ?? 0,
        now: self.now(.stepDropOff, step, .all)?.numerator ?? 0
      )
    }
    let sums = lost.reduce((before: 0, now: 0)) { ($0.before + $1.before, $0.now + $1.now) }
    return zip(steps, lost).map { step, lost in
      let shares = (Double(lost.before) / Double(before), Double(lost.now) / Double(now))
      let pair = ProportionComparison(
        treatment: Proportion(successes: lost.now, trials: sums.now),
        control: Proportion(successes: lost.before, trials: sums.before))
      // Nobody was lost before: then all who are lost now are news.
      let p = sums.before == 0 ? (lost.now > 0 ? 0 : 1) : pair.scoreTest().value?.greaterP ?? 1
      return Candidate(
        part: DropContribution(
          kind: .step, name: step, points: shares.0 - shares.1, before: shares.0, now: shares.1),
        p: p)
    }
  }

  private func parts(
    _ metric: MetricName, _ step: String, _ dimension: String, _ worse: Double
  ) -> [Candidate] {
    let strata = strata(metric, step, dimension)
    guard strata.count > 1, let whole = MixAndRate(strata, dimensions: [dimension]) else {
      return []
    }
    let sums = (
      before: whole.parts.reduce(0) { $0 + $1.before.trials },
      now: whole.parts.reduce(0) { $0 + $1.after.trials }
    )
    return whole.parts.indices.flatMap { index in
      candidates(index, of: whole, dimension, sums, worse)
    }
  }

  private func strata(
    _ metric: MetricName, _ step: String, _ dimension: String
  ) -> [MixAndRate.Stratum] {
    func proportion(_ side: Side, _ key: BreakdownKey) -> Proportion {
      let row = side(metric, step, key)
      return Proportion(successes: row?.numerator ?? 0, trials: row?.denominator ?? 0)
    }
    return breakdowns.filter { $0.dimension == dimension }.map {
      MixAndRate.Stratum(
        values: [$0.value], before: proportion(before, $0), after: proportion(now, $0))
    }
  }

  /// The change within the values of each dimension, beside the crude one.
  func standardised(metric: MetricName, step: String, worse: Double) -> [StandardisedChange] {
    flow.dimensionsAtEntry.compactMap { index in
      let dimension = flow.dimensions[index].id
      return StandardisedChange(
        dimension: dimension,
        strata(metric, step, dimension).map {
          ProportionComparison(treatment: $0.after, control: $0.before)
        }, worse: worse)
    }
  }

  /// The p-value of a kind that only one side has being no worse than the others of its side, or,
  /// where it is gone, no better: a change of all people is none of a release that came meanwhile.
  /// 0 where its side has no others, who could say.
  private func besideOthers(_ index: Int, of whole: MixAndRate, _ worse: Double) -> Double {
    let part = whole.parts[index]
    let isNew = part.isNew(in: whole)
    let others = Proportion.sum(
      whole.parts.indices.filter { $0 != index }.map {
        isNew ? whole.parts[$0].after : whole.parts[$0].before
      })
    guard others.trials > 0 else { return 0 }
    let test = ProportionComparison(treatment: isNew ? part.after : part.before, control: others)
      .scoreTest().value
    return ((worse < 0) == isNew ? test?.lessP : test?.greaterP) ?? 1
  }

  private func candidates(
    _ index: Int, of whole: MixAndRate, _ dimension: String, _ sums: (before: Int, now: Int),
    _ worse: Double
  ) -> [Candidate] {
    let part = whole.parts[index]
    let shares = ProportionComparison(
      treatment: Proportion(successes: part.after.trials, trials: sums.now),
      control: Proportion(successes: part.before.trials, trials: sums.before))
    let (before, now) = (shares.control.estimate ?? 0, shares.treatment.estimate ?? 0)
    func contribution(
      _ kind: DropContribution.Kind, _ points: Double, _ sides: (Double, Double)
    ) -> DropContribution {
      DropContribution(
        kind: kind, name: "\(dimension)=\(part.values.joined())", points: points,
        before: sides.0, now: sides.1, shareOfPeople: now,
        shareOfChange: whole.difference == 0 ? nil : points / whole.difference)
    }
    // A mix has no better and no worse side: more or fewer of a kind.
    let mixP = shares.scoreTest().value?.twoSidedP ?? 1
    guard part.isMatched, let old = part.before.estimate, let new = part.after.estimate else {
      let p = max(mixP, besideOthers(index, of: whole, worse))
      return [Candidate(part: contribution(.newKind, part.newKinds, (before, now)), p: p)]
    }
    func pair(_ part: MixAndRate.Part) -> ProportionComparison {
      ProportionComparison(treatment: part.after, control: part.before)
    }
    let rest = whole.parts.indices.filter { $0 != index }.map { pair(whole.parts[$0]) }
    let departure = SliceDeparture(pair(part), rest: rest)
    // Without others there is nothing that it could depart from.
    let rateP = departure.map { worse < 0 ? $0.lessP : $0.greaterP } ?? 1
    return [
      Candidate(part: contribution(.mix, part.mix, (before, now)), p: mixP),
      Candidate(part: contribution(.rate, part.rate, (old, new)), p: rateP),
    ]
  }
}
