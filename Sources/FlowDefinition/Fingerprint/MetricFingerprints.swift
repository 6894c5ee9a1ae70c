/// The fingerprints of many metrics of one flow: what they share is worked out once, and each
/// metric and step is looked at once.
public struct MetricFingerprints {
  private struct Name: Hashable {
    var metric: MetricName
    var step: String
  }

  private let flow: Flow
  private let dependencies: MetricDependencies
  /// Of metrics that depend on everything.
  private lazy var whole = flow.fingerprint
  private let basis: [String: CanonicalValue]
  private var known: [Name: String] = [:]
  /// By the text of what metrics depend on besides the basis; few differ in it.
  private var knownOfParts: [String: String] = [:]

  /// Those of all metrics of a flow.
  public init(_ flow: Flow) {
    self.flow = flow
    dependencies = MetricDependencies(flow)
    basis = flow.canonicalBasis().mapValues(\.written)
  }

  /// Equal to `Flow.fingerprint(ofMetric:step:)`.
  ///
  /// - Parameter step: What stands in the row's `step` column; `all` is the same as nothing.
  public mutating func fingerprint(of metric: MetricName, step: String) -> String {
    let name = Name(metric: metric, step: step)
    if let print = known[name] { return print }
    let parts = dependencies.parts(of: metric, step: step == "all" ? "" : step)
    let print = parts.map { fingerprint(ofParts: $0) } ?? whole
    known[name] = print
    return print
  }

  private mutating func fingerprint(ofParts parts: [String: CanonicalValue]) -> String {
    let text = CanonicalValue.object(parts).json
    if let print = knownOfParts[text] { return print }
    let print = SHA256Digest.hexadecimal(
      CanonicalValue.object(basis.merging(parts) { _, new in new }).json)
    knownOfParts[text] = print
    return print
  }
}
