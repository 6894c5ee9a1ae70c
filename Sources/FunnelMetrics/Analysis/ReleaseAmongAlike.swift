package import ExperimentStatistics
package import FlowDefinition
internal import FunnelEngine

/// A release against the one before it among people who are alike otherwise: a release that comes
/// with people from another country would else be praised or blamed for them.
package struct ReleaseAmongAlike {
  /// What people are alike in, as the flow lists it.
  package let dimensions: [Dimension]
  /// New minus before, with Mantel and Haenszel's weights, at the level of the plain difference.
  package let difference: EstimateWithInterval

  /// The share of the release's people who must have others like them, with the release before, for
  /// anything to be said.
  static let leastShare = 0.5

  /// By all other dimensions at once where most people of the release have others like them, else
  /// by the one that takes most of the difference; `nil` where none can say.
  package init?(_ change: ReleaseChange, _ analysis: Analysis) {
    let known = analysis.flow.dimensionsAtEntry.map { analysis.flow.dimensions[$0] }
    let others = ReleaseAmongAlike.others(change, known)
    guard !others.isEmpty else { return nil }
    let people = ReleaseAmongAlike.people(change, analysis)
    func compared(_ places: [Int]) -> EstimateWithInterval? {
      ReleaseAmongAlike.difference(people, alikeIn: places, change)
    }
    if let difference = compared(others) {
      (dimensions, self.difference) = (others.map { known[$0] }, difference)
      return
    }
    let crude = change.difference.estimate
    let single = others.compactMap { place in compared([place]).map { (place, $0) } }
    guard
      let most = single.max(by: { abs($0.1.estimate - crude) < abs($1.1.estimate - crude) })
    else { return nil }
    (dimensions, difference) = ([known[most.0]], most.1)
  }

  /// The dimensions in which most people of the release have nobody like them, or very few, with
  /// the release before: one that came with a new country alone says nothing of that country.
  package static func incomparable(_ change: ReleaseChange, _ analysis: Analysis) -> [Dimension] {
    let known = analysis.flow.dimensionsAtEntry.map { analysis.flow.dimensions[$0] }
    let people = people(change, analysis)
    guard people.reduce(0, { $0 + $1.finished.trials }) > 0 else { return [] }
    return others(change, known).filter { difference(people, alikeIn: [$0], change) == nil }
      .map { known[$0] }
  }

  /// The places of dimensions that are no releases.
  private static func others(_ change: ReleaseChange, _ known: [Dimension]) -> [Int] {
    known.indices.filter {
      known[$0].id != change.release.breakdown.dimension && !known[$0].isRelease
    }
  }

  struct People {
    var isOfRelease: Bool
    var values: [String]
    var finished: Proportion
  }

  /// Those who started with one of the two releases, by all that is known of them at entry; of very
  /// many kinds of people those that are kept, which a hash of their values chose.
  static func people(_ change: ReleaseChange, _ analysis: Analysis) -> [People] {
    let flow = analysis.flow
    let known = flow.dimensionsAtEntry.map { flow.dimensions[$0].id }
    guard let place = known.firstIndex(of: change.release.breakdown.dimension) else { return [] }
    let names = (change.release.breakdown.value, change.before.breakdown.value)
    let finished: Set<Outcome> = [.finished, .finishedAfterSkipping]
    return analysis.tally.strata.rows.compactMap { key, counts in
      // The week of entry is the last; what was not kept has no value of anything.
      guard key.values.count == known.count + 1 else { return nil }
      let value = key.values[place]
      guard value == names.0 || value == names.1 else { return nil }
      return People(
        isOfRelease: value == names.0, values: key.values,
        finished: Proportion(
          successes: finished.contains(key.outcome) ? counts[0] : 0, trials: counts[0]))
    }
  }

  /// The weeks in which people started with both releases.
  private static func sharedWeeks(_ people: [People]) -> Set<String> {
    func weeks(_ isOfRelease: Bool) -> Set<String> {
      Set(people.filter { $0.isOfRelease == isOfRelease }.compactMap(\.values.last))
    }
    return weeks(true).intersection(weeks(false))
  }

  /// `nil` where too few people of the release have others who are alike, with the one before.
  static func difference(
    _ people: [People], alikeIn places: [Int], _ change: ReleaseChange
  ) -> EstimateWithInterval? {
    var strata: [[String]: (release: Proportion, before: Proportion)] = [:]
    let none = Proportion(successes: 0, trials: 0)
    // Of people who started on the same days the week is known beside all else.
    let weeks = change.basis == .sameDays ? sharedWeeks(people) : nil
    var ofRelease = 0
    for some in people {
      let week = some.values.last ?? ""
      if let weeks, !weeks.contains(week) { continue }
      if some.isOfRelease { ofRelease += some.finished.trials }
      let kind = places.map { some.values[$0] } + (weeks == nil ? [] : [week])
      // Beyond the values that are kept there may be many kinds.
      if kind.contains(where: DimensionCrossing.hasOther) { continue }
      var stratum = strata[kind] ?? (none, none)
      if some.isOfRelease {
        stratum.release = Proportion.sum([stratum.release, some.finished])
      } else {
        stratum.before = Proportion.sum([stratum.before, some.finished])
      }
      strata[kind] = stratum
    }
    // In the order of their values: sums of fractions depend on it.
    let compared = strata.sorted { $0.key.lexicographicallyPrecedes($1.key, by: <) }.map {
      ProportionComparison(treatment: $0.value.release, control: $0.value.before)
    }
    let comparison = StratifiedComparison(strata: compared)
    let total = comparison.total
    guard total.treatment.trials > 0,
      Double(total.treatment.trials) >= leastShare * Double(ofRelease),
      total.control.trials >= ReleaseChange.fewestPeople
    else { return nil }
    return comparison.difference(level: change.level).value
  }
}

extension ReleaseChange {
  /// What the change is among people who are alike otherwise, where that says something else: the
  /// other way, or less than half of it.
  package func otherwise(_ alike: ReleaseAmongAlike?) -> ReleaseAmongAlike? {
    guard isShown, let alike else { return nil }
    let (crude, among) = (difference.estimate, alike.difference.estimate)
    return among * (crude < 0 ? -1 : 1) < abs(crude) / 2 ? alike : nil
  }
}
