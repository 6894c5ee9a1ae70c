internal import FlowDefinition
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension HTMLReport {
  func findingsSection() -> Markup {
    let findings = report.findings
    let checks = TargetCheck.all(analysis)
    return PageTemplates.fill(
      .findings,
      TemplateContext { page in
        page.flag("hasFindings", !findings.isEmpty)
        page.list("findings", findings.map(finding))
        let decisions = Decision.all(analysis, horizon: report.provenance.horizonMilliseconds)
          .prefix(HTMLReport.maximumSlices)
        page.flag("hasDecisions", !decisions.isEmpty)
        page.list("decisions", decisions.map(decision))
        if !checks.isEmpty {
          page.list(
            "targets", [TemplateContext { $0.markup("table", targets(checks).markup) }])
        }
      })
  }

  private func finding(_ finding: Finding) -> TemplateContext {
    let (words, glyph) =
      switch finding.tone {
      case .alarm: ("Alarm", "M14 7v8M14 20v.1")
      case .bad: ("To look at", "M14 8v11M9.500 14.500 14 19l4.500-4.500")
      case .good: ("Good", "M8.500 14.500l4 4 7-8.500")
      case .neutral: ("To know", "M14 13v7M14 8v.1")
      }
    return TemplateContext { page in
      page.text("rank", "\(finding.rank)")
      page.text("tone", finding.tone.rawValue)
      page.text("toneWords", words)
      page.text("glyph", glyph)
      page.markup("claim", Markup { $0.sentence(finding.claim) })
      page.markup("detail", Markup { $0.sentence(finding.detail) })
      page.texts("chart", finding.chart.map { [$0.text] } ?? [])
    }
  }

  private func decision(_ decision: Decision) -> TemplateContext {
    TemplateContext { page in
      page.text("tone", decision.tone.rawValue)
      page.text("title", decision.title)
      page.text("text", DisplayText.sentence(decision.text))
      page.texts("detail", decision.detail.map { [$0] } ?? [])
    }
  }

  private func targets(_ checks: [TargetCheck]) -> DataTable {
    DataTable(
      caption: "Targets of the flow file, and what was measured",
      columns: [
        .words("Metric"), .number("Target"), .number("Measured"), .number("95 % interval"),
        .words("Verdict"),
      ],
      rows: checks.map { check in
        let (seen, low, high) = numbers(check)
        return [
          .name(check.words(flow).capitalizedFirst),
          .number(Shown(DisplayText.sentence(check.boundText))),
          .number(seen), .pair(low, " to ", high),
          .tag(check.verdict.rawValue, tone: tone(check.verdict)),
        ]
      })
  }

  private func numbers(_ check: TargetCheck) -> (Shown?, Shown?, Shown?) {
    guard let datum = check.datum else { return (nil, nil, nil) }
    switch datum.row.unit {
    case .rate, .probability: return (datum.rate, datum.low, datum.high?.with("%"))
    case .ratio: return (datum.lift, datum.signedLow, datum.signedHigh?.with("%"))
    case .points: return (datum.points, datum.signedLow, datum.signedHigh?.with("pp"))
    case .seconds:
      func shown(_ seconds: Double?) -> Shown? { seconds.map { Shown(check.bound($0)) } }
      return (datum.seconds, shown(check.duration?.lowerBound), shown(check.duration?.upperBound))
    case .persons: return (datum.count, nil, nil)
    case .amount: return (datum.amount, nil, nil)
    }
  }

  private func tone(_ verdict: TargetCheck.Verdict) -> String {
    switch verdict {
    case .met: "good"
    case .missed: "bad"
    case .unclear, .unknown: ""
    }
  }
}
