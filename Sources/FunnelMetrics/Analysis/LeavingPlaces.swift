package import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// Where the people of one version who did not finish left, and whether one step stands out.
///
/// Steps are judged by the rate at which those who reach them leave, not by how many do: a step
/// that a third of the people are shown loses fewer than one that all see, however bad it is.
/// Given who reached a step, whom it loses is independent of the steps before it (the discrete
/// hazards of Cox, Journal of the Royal Statistical Society B 34, 1972), so two steps are compared
/// by Fisher's exact test of "left" against "went on" (``ProportionComparison/fisherExact()``). The
/// worst is known only after looking at all of them; so Holm's correction is over all pairs of
/// steps, and the chance that any step is wrongly said to be worse than another is at most alpha.
package struct LeavingPlaces {
  package struct Place {
    /// A step's id, or `(entry)`.
    package var step: String
    /// Of those who reached it, who left there.
    package var left: Proportion
    package var datum: Datum
  }

  /// Everybody, or one of several versions.
  package let slice: Slice
  /// All people who did not finish.
  package let gone: Int
  /// The steps that the most people left at: several where equally many did, in the flow's order.
  package let largestLosses: [Place]
  /// The first of these.
  package var largestLoss: Place? { largestLosses.first }
  /// Steps with the highest rates, the worst first: one that stands out from all others, or those
  /// that don't differ significantly from the worst. None where too few left or reached any step.
  package let leaders: [Place]
  /// The highest rate of the steps but the first of these.
  private let nextRate: Double

  /// Fewer leavers than this say nothing about where people leave.
  package static let fewest = 20
  /// A step that fewer reached is not judged: its rate could be anything.
  package static let fewestViewers = 20

  /// One for each version that somebody has: the newest, then the others by their size; one for
  /// all where there is only one.
  package static func all(_ analysis: Analysis) -> [LeavingPlaces] {
    let persons = analysis.slices.layout[.persons]
    let versions = analysis.seenVersions
    guard versions.count > 1 else { return [LeavingPlaces(.all, analysis)] }
    return versions.enumerated().sorted { left, right in
      let newest = analysis.flow.newestVersion
      let isNewest = [left, right].map { $0.element.version == newest }
      if isNewest[0] != isNewest[1] { return isNewest[0] }
      let counts = [left, right].map { analysis.slices.count($0.element, persons) }
      return counts[0] != counts[1] ? counts[0] > counts[1] : left.offset < right.offset
    }.map { LeavingPlaces($0.element, analysis) }
  }

  private init(_ slice: Slice, _ analysis: Analysis) {
    self.slice = slice
    let layout = analysis.slices.layout
    gone =
      analysis.slices.count(slice, layout[.skipped])
      + analysis.slices.count(slice, layout[.abandoned])
    let steps =
      ["(entry)"] + StepPlaces(slice, analysis.flow).order.map { analysis.flow.steps[$0].id }
    let places = steps.compactMap { step -> Place? in
      guard let datum = analysis.datum(.stepDropOff, step: step, in: slice),
        (datum.row.denominator ?? 0) > 0
      else { return nil }
      return Place(step: step, left: datum.row.proportion, datum: datum)
    }
    let losing = places.filter { $0.left.successes > 0 }
    let most = losing.map(\.left.successes).max()
    largestLosses = losing.filter { $0.left.successes == most }
    let judged = places.filter { $0.left.trials >= LeavingPlaces.fewestViewers }
    let leaders =
      gone < LeavingPlaces.fewest
      ? [] : LeavingPlaces.leaders(judged, alpha: analysis.flow.statistics.alpha)
    self.leaders = leaders
    nextRate =
      judged.filter { $0.step != leaders.first?.step }.compactMap(\.left.estimate).max() ?? 0
  }

  /// Since when the step that stands out loses another share of the people; `nil` where that never
  /// changed from one level to another, and where no step stands out.
  package func change(_ analysis: Analysis) -> CohortChange? {
    guard leaders.count == 1, let worst = leaders.first else { return nil }
    return analysis.change(ofDropOff: worst.step, in: slice)
  }

  /// Whether a step that stands out has been mended: since then it loses no larger a share than
  /// another step does, or less than a third of what it lost.
  package func isMended(_ change: CohortChange) -> Bool {
    change.jump.after < change.jump.before
      && (change.jump.after <= nextRate || change.jump.after * 3 < change.jump.before)
  }

  private static func leaders(_ places: [Place], alpha: Double) -> [Place] {
    let ranked = places.enumerated().sorted { left, right in
      let rates = [left, right].map { $0.element.left.estimate ?? 0 }
      return rates[0] != rates[1] ? rates[0] > rates[1] : left.offset < right.offset
    }.map(\.element)
    guard let worst = ranked.first, worst.left.successes > 0 else { return [] }
    var pValues: [Double] = []
    for (index, place) in ranked.enumerated() {
      for other in ranked.dropFirst(index + 1) {
        let pair = ProportionComparison(treatment: place.left, control: other.left)
        pValues.append(pair.fisherExact().value ?? 1)
      }
    }
    // The first pairs are the worst with each of the others.
    let adjusted = MultipleTesting.holm.adjust(pValues)
    return [worst]
      + zip(ranked.dropFirst(), adjusted).filter { place, p in
        p >= alpha && place.left.successes > 0
      }.map(\.0)
  }
}
