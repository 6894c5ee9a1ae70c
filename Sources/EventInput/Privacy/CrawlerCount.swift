/// Counts the events of crawlers and robots among sampled events.
struct CrawlerCount {
  private var events = 0
  private var counts: [String: Int] = [:]

  /// - Parameter crawler: the one that the event names.
  mutating func add(_ crawler: String?) {
    events += 1
    if let crawler { counts[crawler, default: 0] += 1 }
  }

  /// Those with the most events first.
  var found: [SampledCrawler] { SampledCrawler.ordered(counts, of: events) }
}
