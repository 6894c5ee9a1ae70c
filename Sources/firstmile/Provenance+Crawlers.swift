import EventInput
import FunnelReport

extension Provenance.Crawler {
  /// What was found in a sample, for the report.
  init(_ crawler: SampledCrawler) {
    self.init(
      name: crawler.name, events: crawler.events, sampledEvents: crawler.sampledEvents)
  }
}
