/// The fingerprints of many metrics of one flow: what they share is worked out once, and each
/// metric and step is looked at once.
public struct MetricFingerprints {
  private struct Name: Hashable {
    var metric: String
    var step: String
  }

  private let flow: Flow
  private let basis: [String: CanonicalValue]
  private var known: [Name: String] = [:]

  public init(_ flow: Flow) {
    self.flow = flow
    basis = flow.canonicalBasis()
  }

  /// The same as `Flow.fingerprint(ofMetric:step:)`.
  ///
  /// - Parameter step: What stands in the row's `step` column; `all` is the same as nothing.
  public mutating func fingerprint(of metric: String, step: String) -> String {
    let name = Name(metric: metric, step: step)
    if let print = known[name] { return print }
    let print = SHA256Digest.hexadecimal(
      flow.canonicalJSON(ofMetric: metric, step: step == "all" ? "" : step, basis: basis))
    known[name] = print
    return print
  }
}
