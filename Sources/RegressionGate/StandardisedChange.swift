internal import ExperimentStatistics

/// How a rate changed within the values of a dimension, beside how it changed for all together: the
/// two differ where the mix of people did.
///
/// The difference is weighted by Mantel and Haenszel's weights, so that both sides have one mix
/// (``StratifiedComparison``; Rothman, Greenland and Lash, Modern Epidemiology, 2008, chapter 15).
/// Where each value falls and the whole does not, the crude number hides the drop (Simpson, Journal
/// of the Royal Statistical Society B 13, 1951).
package struct StandardisedChange: Sendable, Hashable {
  package var dimension: String
  /// In points of the rate, current minus reference: of all people, and with one mix.
  package var crude: Double
  package var points: Double
  /// One-sided, of "not worse within the values"; with the variance between days where it is known.
  package var p: Double
  /// One-sided, of "the mix hides nothing": that the difference with one mix is no worse than the
  /// difference as it is.
  var pOfMix: Double
  /// Each value that both sides have is worse, and the whole is not.
  package var isReversed: Bool

  /// `nil` where fewer than two values have people on both sides.
  init?(dimension: String, _ strata: [ProportionComparison], worse: Double) {
    let comparison = StratifiedComparison(strata: strata)
    guard comparison.isStratified, let rates = comparison.rates,
      let now = Proportion.sum(strata.map(\.treatment)).estimate,
      let before = Proportion.sum(strata.map(\.control)).estimate
    else { return nil }
    self.dimension = dimension
    crude = now - before
    points = rates.treatment - rates.control
    let test = comparison.scoreTest().value
    p = (worse < 0 ? test?.lessP : test?.greaterP) ?? 1
    let mix = MixEffect(strata)
    pOfMix = (worse < 0 ? mix?.lessP : mix?.greaterP) ?? 1
    isReversed =
      crude * worse <= 0
      && comparison.comparable.allSatisfy { pair in
        ((pair.treatment.estimate ?? 0) - (pair.control.estimate ?? 0)) * worse > 0
      }
  }

  /// Whether the two differences differ by more than a trifle, the one with one mix being worse.
  func hides(_ worse: Double) -> Bool {
    (points - crude) * worse >= max(0.1 * points.magnitude, 0.0005)
  }
}
