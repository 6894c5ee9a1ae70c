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
  private let basis: [CanonicalValue.Entry]
  private var known: [Name: String] = [:]
  /// By the text of what metrics depend on besides the basis; few differ in it.
  private var knownOfParts: [String: String] = [:]

  /// Those of all metrics of a flow.
  public init(_ flow: Flow) {
    self.flow = flow
    dependencies = MetricDependencies(flow)
    basis = CanonicalValue.entries(flow.canonicalBasis())
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
    let own = CanonicalValue.entries(parts)
    let text = own.map(\.text).joined(separator: ",")
    if let print = knownOfParts[text] { return print }
    let print = SHA256Digest.hexadecimal(json(of: own))
    knownOfParts[text] = print
    return print
  }

  /// The object of the basis and of entries that come before the basis's of the same key.
  private func json(of own: [CanonicalValue.Entry]) -> String {
    var texts: [String] = []
    var rest = own[...]
    for entry in basis {
      while let next = rest.first, next.key < entry.key {
        texts.append(next.text)
        rest.removeFirst()
      }
      if rest.first?.key != entry.key { texts.append(entry.text) }
    }
    texts += rest.map(\.text)
    return "{" + texts.joined(separator: ",") + "}"
  }
}
