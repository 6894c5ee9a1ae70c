/// What was found in a sample of the events, without any value.
public struct SampleFindings: Sendable, Hashable, Codable {
  /// In how many events it was looked for.
  public var sampledEvents = 0
  /// Properties that look like personal text, by path.
  public var personal: [PersonalProperty] = []
  /// Crawlers and robots that events name, those with the most events first.
  public var crawlers: [SampledCrawler] = []

  /// What a sample of no events shows.
  public init() {}

  /// Adds what was found in a sample of other people's events.
  ///
  /// A property that looks like two things is reported as that which comes first among the kinds.
  public mutating func add(_ other: SampleFindings) {
    sampledEvents += other.sampledEvents
    var properties = Dictionary(personal.map { ($0.path, $0) }) { first, _ in first }
    for property in other.personal {
      properties[property.path] = properties[property.path]?.joined(property) ?? property
    }
    personal = properties.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    for index in personal.indices { personal[index].sampledEvents = sampledEvents }
    var counts = Dictionary(crawlers.map { ($0.name, $0.events) }, uniquingKeysWith: +)
    for crawler in other.crawlers { counts[crawler.name, default: 0] += crawler.events }
    crawlers = SampledCrawler.ordered(counts, of: sampledEvents)
  }
}

extension PersonalProperty {
  fileprivate func joined(_ other: PersonalProperty) -> PersonalProperty {
    var joined = self
    if kind == other.kind {
      joined.events += other.events
    } else if PersonalTextKind.allCases.first(where: { [kind, other.kind].contains($0) }) != kind {
      (joined.kind, joined.events) = (other.kind, other.events)
    }
    joined.isUsed = isUsed || other.isUsed
    joined.isIdentifier = isIdentifier || other.isIdentifier
    return joined
  }
}
