package import FlowDefinition
package import FunnelMetrics

/// What a finding is about, for a drawing of it: which numbers stand side by side.
package enum FindingSubject: Sendable, Hashable {
  /// The steps of everyone, or of one version; the step that stands out, if one does.
  case dropOff(Slice, step: String?)
  /// A metric of a variant and of its control.
  case comparison(experiment: String, variant: String, control: String, metric: MetricName)
  case permission(String)
  case skip
  case retention
  case time
  /// A rate over the cohorts.
  case trend(metric: MetricName, step: String)
}
