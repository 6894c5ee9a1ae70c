package import FunnelMetrics

extension Report {
  /// Whether only a part of the people is looked at: those who began within some dates, or met a
  /// version of the flow.
  package var isOfPart: Bool {
    ["from", "to", "flow_version"].contains { provenance.options[$0] != nil }
  }

  /// What is unknown because the data lack what they should have.
  var faultsOfMeasuring: [Unmeasured.Reason] {
    (isOfPart ? analysis.unmeasured.reasonsOfPart : analysis.unmeasured.reasons)
      + ReleaseChange.all(analysis).filter(\.isWithoutCompletions).map(\.reasonWithoutCompletions)
  }
}
