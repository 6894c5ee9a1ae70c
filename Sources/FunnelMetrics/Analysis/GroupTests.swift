internal import ExperimentStatistics
internal import FlowDefinition

/// Which groups of people differ from all others in a share of them.
///
/// Each is compared with everybody else by Fisher's exact test
/// (``ProportionComparison/fisherExact()``), and Holm's correction is over all groups that are
/// judged, so that the chance that any of them is wrongly named is at most alpha.
struct GroupTests {
  /// How many were judged.
  private(set) var judged = 0
  /// For each group whether it stands out.
  private(set) var standOut: [Bool]

  /// - Parameter groups: of each group who did and who could have; `nil` of one that isn't judged.
  init(_ groups: [Proportion?], of all: Proportion, alpha: Double) {
    standOut = groups.map { _ in false }
    var found: [(group: Int, p: Double)] = []
    for (index, group) in groups.enumerated() {
      guard let own = group, own.trials >= LeavingPlaces.fewestViewers,
        all.trials - own.trials >= LeavingPlaces.fewestViewers
      else { continue }
      let others = Proportion(
        successes: all.successes - own.successes, trials: all.trials - own.trials)
      let pair = ProportionComparison(treatment: own, control: others)
      found.append((index, pair.fisherExact().value ?? 1))
    }
    judged = found.count
    for (one, p) in zip(found, MultipleTesting.holm.adjust(found.map(\.p))) where p < alpha {
      standOut[one.group] = true
    }
  }
}
