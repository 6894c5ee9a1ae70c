public import ExperimentStatistics
internal import FlowDefinition
internal import FunnelEngine

/// A rate that is compared by the accounts that people belong to: `cluster` of the flow file
/// (definitions 6.16).
public struct Clustering: Sendable {
  /// What an account is called: the last part of its path.
  public let name: String
  /// Accounts with people of the variant in the rate's denominator.
  public let treatmentClusters: Int
  /// Accounts with people of the control in the rate's denominator.
  public let controlClusters: Int
  package let comparison: StratifiedComparison

  /// How many people of each group say as much as one independent person.
  public var designEffects: DesignEffects { comparison.designEffects }

  /// `nil` where the experiment isn't compared by accounts.
  package init?(
    _ accounts: AccountSums, _ metric: RateDefinition,
    _ pair: (variant: String, control: String)
  ) {
    guard let path = accounts.experiment.clusterPath else { return nil }
    name = path.split(separator: ".").last.map(String.init) ?? path
    let (treatment, control) = (
      accounts.proportions(metric, of: pair.variant), accounts.proportions(metric, of: pair.control)
    )
    comparison = StratifiedComparison(
      clustered: zip(treatment, control).map { (treatment: $0, control: $1) })
    treatmentClusters = treatment.first?.clusters ?? 0
    controlClusters = control.first?.clusters ?? 0
  }
}
