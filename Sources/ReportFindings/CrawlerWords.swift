internal import ReportText
public import FunnelMetrics

/// What is said of crawlers and robots among sampled events, in reports and by `start`.
public struct CrawlerWords {
  package let claim: String
  package let detail: String

  /// - Parameter crawlers: those with the most events first; `nil` comes of none.
  public init?(_ crawlers: [Provenance.Crawler]) {
    guard let first = crawlers.first else { return nil }
    let events = crawlers.reduce(0) { $0 + $1.events }
    let names = crawlers.prefix(3).map { "'\(SafeText.name($0.name, limit: 40))'" }
    claim = """
      \(RateText.percent(Double(events) / Double(max(1, first.sampledEvents)))) of the events \
      are a crawler's or robot's.
      """
    detail = """
      \(NumberText.grouped(events)) of \(NumberText.grouped(first.sampledEvents)) sampled: \
      \(names.joined(separator: ", ")). They count as people; leave them out of the dump.
      """
  }

  /// Both sentences, for the terminal.
  public var text: String { "\(claim) \(detail)" }
}
