/// A crawler or robot that sampled events name.
public struct SampledCrawler: Sendable, Hashable, Codable {
  /// `Googlebot`, or the property that says so.
  public var name: String
  /// The sampled events that name it.
  public var events: Int
  /// In how many events it was looked for.
  public var sampledEvents: Int
}

extension SampledCrawler {
  /// Those with the most events first.
  ///
  /// - Parameter counts: events by name.
  static func ordered(_ counts: [String: Int], of sampledEvents: Int) -> [SampledCrawler] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
      SampledCrawler(name: $0.key, events: $0.value, sampledEvents: sampledEvents)
    }
  }
}
