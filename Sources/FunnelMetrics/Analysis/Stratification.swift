package import ExperimentStatistics
package import FlowDefinition

/// A rate that is compared within the values of dimensions known at entry: `stratify` of the flow
/// file (definitions 6.12).
public struct Stratification: Sendable {
  /// The ids of the one or two dimensions whose values, or combinations of values, are the strata.
  public let dimensions: [String]
  /// How many strata are compared, of all periods of one split together.
  public let strata: Int
  /// How many values had too few people for a stratum of their own.
  public let joined: Int
  /// How many people of all variants have a value beyond those that are kept by themselves: these
  /// values are one stratum, `(other)`.
  public let peopleOfOtherValues: Int
  /// How many more people would give the comparison without strata this precision, relative to
  /// the people it has: 0.05 is a twentieth more; `nil` where nothing can be compared.
  public let gain: Double?
  package let comparison: StratifiedComparison

  /// `nil` where the experiment isn't stratified.
  ///
  /// - Parameter plain: the comparison without strata.
  package init?(
    _ cells: ExperimentCells, _ metric: RateDefinition, _ pair: (variant: String, control: String),
    _ experiment: Experiment, _ plain: StratifiedComparison
  ) {
    guard !experiment.stratifiedBy.isEmpty, !cells.strata.isEmpty else { return nil }
    let periods = cells.postStrata(of: metric, pair.variant, pair.control, in: experiment)
    comparison = StratifiedComparison(postStratified: periods)
    dimensions = experiment.stratifiedBy
    strata = comparison.comparable.count
    joined = periods.reduce(0) { $0 + $1.joined }
    peopleOfOtherValues = cells.peopleOfOtherValues
    gain = comparison.precisionGain(over: plain)
  }
}
