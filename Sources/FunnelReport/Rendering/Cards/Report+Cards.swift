internal import FlowDefinition
public import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension Report {
  /// The names that cards may have: that of the headline, then one for each finding.
  public static let cardNames = ["card.svg"] + (1...maximumFindings).map { "card-\($0).svg" }

  /// The headline and each finding as a picture.
  ///
  /// - Parameter metrics: `metrics.csv` as it was made; its SHA-256 is the fingerprint of the
  ///   numbers, so that everyone who has the file can compare it.
  public func cards(metrics: Document) -> [Document] {
    let numbers = SHA256Digest.hexadecimal(metrics.bytes)
    let findings = self.findings
    let charts = CardCharts(analysis: analysis)
    var cards: [Document] = []
    if let headline {
      cards.append(
        document(
          "card.svg", place: "Headline", claim: headline.claim, detail: headline.detail,
          tone: headline.tone, decided(headline).flatMap(charts.chart) ?? charts.reach(), numbers))
    }
    for finding in findings {
      cards.append(
        document(
          "card-\(finding.rank).svg", place: "Finding \(finding.rank) of \(findings.count)",
          claim: finding.claim.text, detail: finding.detail.text, tone: finding.tone,
          finding.subject.flatMap { charts.chart(of: $0) }, numbers))
    }
    return cards
  }

  /// The experiment that the headline is about, if it is about one.
  private func decided(_ headline: Headline) -> FindingSubject? {
    let finding = findings.first { $0.chart == headline.chart && $0.kind == .experiment }
    return headline.chart == nil ? nil : finding?.subject
  }

  private func document(
    _ name: String, place: String, claim: String, detail: String, tone: Finding.Tone,
    _ chart: CardChart?, _ numbers: String
  ) -> Document {
    var chart = chart
    if let drawn = chart {
      chart?.title = CardText.shown(drawn.title, limit: 200)
      chart?.rows = drawn.rows.map { row in
        var row = row
        row.label = CardText.shown(row.label, limit: 120)
        row.text = CardText.shown(row.text, limit: 120)
        return row
      }
    }
    let card = Card(
      source: CardText.shown(analysis.flow.title, limit: 120), place: place,
      claim: CardText.shown(claim, limit: 400), detail: CardText.shown(detail, limit: 2000),
      tone: tone, chart: chart, foot: foot(numbers))
    return Document(name: name, text: card.text())
  }

  private func foot(_ numbers: String) -> [String] {
    var facts: [String] = []
    if let entered = analysis.row(.entered)?.numerator {
      let dates = ReportWords.dates(self).map { " \($0)" } ?? ""
      facts.append("\(ReportWords.people(entered)) started\(dates)")
    }
    if let horizon = provenance.horizonMilliseconds {
      facts.append("data complete until \(DateText.minute(horizon))")
    }
    let flow = analysis.flow
    let prints = [
      "FirstMile \(provenance.programVersion)",
      "flow \(SafeText.name(flow.id, limit: 40)) \(flow.fingerprint.prefix(12))",
      "data \(numbers.prefix(12))",
    ]
    return [facts, prints].map { CardText.shown($0.joined(separator: " · "), limit: 300) }
      .filter { !$0.isEmpty }
  }
}
