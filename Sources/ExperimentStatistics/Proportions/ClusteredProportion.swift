/// A proportion of people who belong to accounts (households, schools, companies) that were
/// assigned as wholes: people of one account resemble each other, so that there is less to learn
/// from them than from strangers.
///
/// The variance is that of the ratio of the accounts' sums (``ClusterMoments``), and the design
/// effect is how many times as large it is as the binomial one. Dividing counts by it makes them
/// counts of independent people (Rao and Scott, "A simple method for the analysis of clustered
/// binary data", Biometrics 48, 1992).
public struct ClusteredProportion: Sendable, Hashable {
  /// How many of the people succeeded, to whole numbers.
  public let proportion: Proportion
  /// Accounts of the whole group with at least one of the people.
  public let clusters: Int
  /// The variance of the proportion over the binomial one, at least 1: people of one account are
  /// hardly ever less alike than strangers, and an estimate below 1 is mostly chance.
  public let designEffect: Double

  /// Accounts that each group needs before anything is tested: with fewer the variance between them
  /// is hardly known.
  public static let fewestClusters = 20

  /// How well that is known, of the whole group.
  let degreesOfFreedom: Double

  /// - Parameters:
  ///   - moments: of how many people of each account succeed, and how many there are.
  ///   - parts: of all periods, of which this is one: an account may have people in several.
  ///   - group: of the people of all periods together.
  public init(
    _ moments: ClusterMoments, among parts: [ClusterMoments] = [], of group: ClusterMoments? = nil
  ) {
    let group = group ?? moments
    proportion = Proportion(
      successes: Int(clamping: moments.values), trials: Int(clamping: moments.people))
    clusters = group.clusters
    degreesOfFreedom = group.degreesOfFreedom
    let rate = moments.ratio
    let binomial = rate * (1 - rate) / max(1, moments.people)
    let variance = moments.variance * group.resemblance(across: parts)
    designEffect = binomial > 0 && variance.isFinite ? max(1, variance / binomial) : 1
  }

  /// The squared standard error.
  var squaredError: Double {
    let rate = proportion.estimate ?? 0
    return designEffect * rate * (1 - rate) / Double(max(1, proportion.trials))
  }
}
