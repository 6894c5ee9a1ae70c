/// The strata of people by something known of them at entry, such as the system of their phone,
/// with those that are too small for an estimate of their own put together.
///
/// Strata with fewer than ``fewestPeople`` people in either group become one. If that one is as
/// small, the smallest of the other strata takes it in (of equals the first), and if there is no
/// other, nothing is stratified. The rule sees how many people there are and not what they did, so
/// that it can't choose an effect, and everybody stays in the comparison.
public struct PostStrata: Sendable, Hashable {
  /// People whom each group of a stratum needs.
  public static let fewestPeople = 20

  /// What is compared.
  public let strata: [ProportionComparison]
  /// How many of the given strata were put together with others.
  public let joined: Int

  /// - Parameter strata: all strata, in an order that depends on no outcome.
  public init(_ strata: [ProportionComparison]) {
    func people(_ stratum: ProportionComparison) -> Int {
      stratum.treatment.trials + stratum.control.trials
    }
    func isSmall(_ stratum: ProportionComparison) -> Bool {
      min(stratum.treatment.trials, stratum.control.trials) < Self.fewestPeople
    }
    func sum(_ parts: [ProportionComparison]) -> ProportionComparison {
      ProportionComparison(
        treatment: Proportion.sum(parts.map(\.treatment)),
        control: Proportion.sum(parts.map(\.control)))
    }
    let filled = strata.filter { people($0) > 0 }
    var kept = filled.filter { !isSmall($0) }
    let small = filled.filter(isSmall)
    var joined = small.count > 1 ? small.count : 0
    if !small.isEmpty {
      let rest = sum(small)
      if isSmall(rest), let place = kept.indices.min(by: { people(kept[$0]) < people(kept[$1]) }) {
        kept[place] = sum([kept[place], rest])
        joined = small.count + 1
      } else {
        kept.append(rest)
      }
    }
    self.strata = kept
    self.joined = joined
  }
}
