/// Looks for crawlers and robots in events.
struct CrawlerSearch {
  /// What each path may say; most say nothing, and their values are not looked at.
  private var kinds: [String: CrawlerSigns.Kind?] = [:]
  /// The crawler of each text that was met: browsers' own words repeat.
  private var known: [String: String?] = [:]

  /// More texts are looked at each time.
  private static let maximumKnown = 10_000

  /// The crawler that an event names. Where several values name one, that of the first path counts.
  ///
  /// - Parameters:
  ///   - scalars: the event's values by path.
  ///   - isHidden: whether a path must not be looked at.
  mutating func crawler(
    in scalars: [String: String], except isHidden: (String) -> Bool = { _ in false }
  ) -> String? {
    var first: (path: String, name: String)?
    for (path, text) in scalars {
      guard let kind = kind(path), let name = name(path, text, kind), !isHidden(path) else {
        continue
      }
      if first.map({ path.utf8.lexicographicallyPrecedes($0.path.utf8) }) ?? true {
        first = (path, name)
      }
    }
    return first?.name
  }

  private mutating func kind(_ path: String) -> CrawlerSigns.Kind? {
    if let kind = kinds[path] { return kind }
    let kind = CrawlerSigns.kind(path)
    if kinds.count < Self.maximumKnown { kinds[path] = .some(kind) }
    return kind
  }

  private mutating func name(
    _ path: String, _ text: String, _ kind: CrawlerSigns.Kind
  ) -> String? {
    if kind == .flag { return CrawlerSigns.sign(path, text) }
    if let name = known[text] { return name }
    let name = CrawlerSigns.sign(path, text)
    if known.count < Self.maximumKnown { known[text] = .some(name) }
    return name
  }
}
