package import EventInput
package import FunnelMetrics

extension Provenance.Crawler {
  /// What was found in a sample, for the report.
  package init(_ crawler: SampledCrawler) {
    self.init(
      name: crawler.name, events: crawler.events, sampledEvents: crawler.sampledEvents)
  }
}
