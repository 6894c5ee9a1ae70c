package import FlowDefinition
package import FunnelMetrics

/// The one earlier version of the flow that has a step, among steps of all versions.
package struct StepVersion {
  package let name: String

  /// `nil` of a step that several versions have, or the newest.
  package init?(_ step: Step, _ analysis: Analysis) {
    let versions = analysis.seenVersions
    let having = versions.filter { version in
      analysis.row(.stepReach, step: step.id, in: version)?.denominator ?? 0 > 0
    }
    guard having.count == 1, having[0] != versions.last else { return nil }
    name = having[0].version
  }
}
