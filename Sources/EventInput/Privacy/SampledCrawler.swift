/// A crawler or robot that sampled events name.
public struct SampledCrawler: Sendable, Hashable {
  /// `Googlebot`, or the property that says so.
  public var name: String
  public var events: Int
  /// In how many events it was looked for.
  public var sampledEvents: Int
}
