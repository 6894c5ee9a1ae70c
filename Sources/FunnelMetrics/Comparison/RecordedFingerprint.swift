internal import FlowDefinition

/// An entry of `metric_fingerprints`: in a report one fingerprint with all the names that share it,
/// in a baseline, and in reports before `firstmile.metrics/2`, one name with its fingerprint.
struct RecordedFingerprint: Sendable, Decodable {
  let fingerprint: String
  let names: [RecordedReport.Rate]
  /// The rate that says all that this one says: earlier reports have it here.
  let repeats: RecordedReport.Rate?

  private enum CodingKeys: String, CodingKey { case fingerprint, metric, metrics, step, repeats }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    fingerprint = try values.decode(String.self, forKey: .fingerprint)
    if let steps = try values.decodeIfPresent([MetricName: [String]].self, forKey: .metrics) {
      // In the order of their names, since an object that was read has none.
      names = steps.keys.sorted().flatMap { metric in
        (steps[metric] ?? []).map { RecordedReport.Rate(metric: metric, step: $0) }
      }
      repeats = nil
    } else {
      let metric = try values.decode(MetricName.self, forKey: .metric)
      let step = try values.decodeIfPresent(String.self, forKey: .step)
      names = [RecordedReport.Rate(metric: metric, step: step ?? "all")]
      repeats = try values.decodeIfPresent(RecordedRepetition.Name.self, forKey: .repeats)?.rate
    }
  }
}
