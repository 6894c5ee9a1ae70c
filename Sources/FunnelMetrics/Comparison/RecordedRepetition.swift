internal import FlowDefinition

/// A rate that says what another says, so that comparisons test and print the other alone.
struct RecordedRepetition: Sendable, Decodable {
  /// A metric and, where it has one, a step.
  struct Name: Sendable, Decodable {
    var metric: MetricName
    var step: String?

    var rate: RecordedReport.Rate { RecordedReport.Rate(metric: metric, step: step ?? "all") }
  }
  var metric: MetricName
  var step: String?
  var repeats: Name

  var rate: RecordedReport.Rate { Name(metric: metric, step: step).rate }
}
