public import ExperimentStatistics

/// A difference of two rates taken apart, exactly, into who came (mix) and what they did (rate).
///
/// With the shares w and rates r of each stratum s on both sides (Kitagawa 1955, "Components of a
/// Difference Between Two Rates", equation 2; rates are set against the mean R of both sides, which
/// changes no sum, since the shares of a side add up to one):
///
///     r_B − r_A = Σ (w_B − w_A) · ((r_A + r_B)/2 − R)  +  Σ (w_A + w_B)/2 · (r_B − r_A)
///
/// A stratum that one side does not have has no rate there: it takes the other side's, so that all
/// of it is mix.
public struct MixAndRate: Sendable {
  /// One stratum's part.
  public struct Part: Sendable {
    public var values: [String]
    public var before: Proportion
    public var after: Proportion
    public var mix: Double
    public var rate: Double
  }

  /// The dimensions that the strata are made of.
  public let dimensions: [String]
  /// The whole difference, from the sums over all strata.
  public let difference: Double
  public let mix: Double
  public let rate: Double
  /// Half the width of the 95 % interval of the rate part, the shares taken as given.
  public let rateMargin: Double
  /// The share of persons, the mean of both sides, in strata that both sides have. Where it is
  /// small the mix part is mostly of persons that can't be compared.
  public let matched: Double
  /// In the order of their values.
  public let parts: [Part]

  struct Stratum {
    var values: [String]
    var before: Proportion
    var after: Proportion
  }

  /// `nil` where one side has nobody.
  init?(_ strata: [Stratum], dimensions: [String]) {
    let before = strata.reduce(0) { $0 + $1.before.trials }
    let after = strata.reduce(0) { $0 + $1.after.trials }
    guard before > 0, after > 0 else { return nil }
    let rateBefore = Double(strata.reduce(0) { $0 + $1.before.successes }) / Double(before)
    let rateAfter = Double(strata.reduce(0) { $0 + $1.after.successes }) / Double(after)
    let middle = (rateBefore + rateAfter) / 2
    var variance = 0.0
    var matched = 0.0
    let ordered = strata.sorted { left, right in
      left.values.lexicographicallyPrecedes(right.values) {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
    }
    parts = ordered.compactMap { stratum in
      guard let own = stratum.before.estimate ?? stratum.after.estimate,
        let other = stratum.after.estimate ?? stratum.before.estimate
      else { return nil }
      let shares = (
        Double(stratum.before.trials) / Double(before), Double(stratum.after.trials) / Double(after)
      )
      let weight = (shares.0 + shares.1) / 2
      if stratum.before.trials > 0, stratum.after.trials > 0 {
        matched += weight
        variance +=
          weight * weight
          * (own * (1 - own) / Double(stratum.before.trials)
            + other * (1 - other) / Double(stratum.after.trials))
      }
      return Part(
        values: stratum.values, before: stratum.before, after: stratum.after,
        mix: (shares.1 - shares.0) * ((own + other) / 2 - middle), rate: weight * (other - own))
    }
    self.matched = matched
    self.dimensions = dimensions
    difference = rateAfter - rateBefore
    mix = parts.reduce(0) { $0 + $1.mix }
    rate = parts.reduce(0) { $0 + $1.rate }
    rateMargin = 1.959964 * variance.squareRoot()
  }
}
