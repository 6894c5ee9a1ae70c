internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension HTMLReport {
  func balanceSection() -> Markup {
    PageTemplates.fill(
      .balance,
      TemplateContext { page in
        page.markup(
          "table",
          StepTable(report: self, slice: .all, balances: StepBalance.all(.all, analysis)).markup)
        page.markups("sums", sums())
        page.list("words", DefinitionWords.ofBalance(analysis).map(word))
        page.text("checked", checked)
        page.list("figures", [skips()].compactMap { $0 })
        page.list("folded", [backAndForth()].compactMap { $0 })
      })
  }

  /// The sums with their numbers, for everybody.
  private func sums() -> [Markup] {
    func count(_ metric: MetricName) -> Shown? { analysis.datum(metric)?.count }
    // Where a skip ends nothing, nobody has these outcomes.
    let isUnknown = analysis.unmeasured.contains(.skipRate, step: "all")
    let ofSkips: [(Shown?, String)] =
      analysis.endsBySkipping && !isUnknown
      ? [
        (count(.finishedAfterSkipping), "finished after skipping"),
        (count(.skipped), "left by skipping"),
      ] : []
    func sum(_ parts: [(Shown?, String)]) -> Markup {
      Markup { page in
        for (index, part) in parts.enumerated() {
          if index > 0 { page.text(index == 1 ? " = " : " + ") }
          page.number(part.0)
          page.text(" \(part.1)")
        }
      }
    }
    let others = [ReportWords.leftOut(analysis), ReportWords.withoutStart(analysis)]
      .compactMap { $0 }
    let leftOut =
      others.isEmpty
      ? [] : [Markup { $0.sentence("Not among them: \(others.joined(separator: ", ")).") }]
    return [
      sum([
        (count(.entered), "entered"), (count(.persons), "counted"),
        (count(.immature), "too recent to count"),
      ]),
      sum(
        [(count(.persons), "counted"), (count(.finished), "finished")] + ofSkips
          + [(count(.abandoned), isUnknown ? "abandoned or left by skipping" : "abandoned")]),
    ] + leftOut
  }

  private var checked: String {
    let failures = analysis.identities.flatMap(\.failures)
    if failures.isEmpty { return ReportWords.sums(analysis) }
    let statements = analysis.identities.map {
      "\($0.statement) (\(DisplayText.count($0.checked)) times)"
    }
    return "\(failures.count) do NOT hold, a fault: \(statements.joined(separator: "; "))."
  }

  private func figure(_ name: String, _ about: Markup, _ table: DataTable) -> TemplateContext {
    TemplateContext { page in
      page.text("id", ChartID("balance", "skips").text)
      page.text("name", name)
      page.markup("about", about)
      page.markup("chart", table.markup)
    }
  }

  private func skips() -> TemplateContext? {
    guard let used = analysis.datum(.usedSkipRate), (used.row.numerator ?? 0) > 0 else {
      return nil
    }
    let pages = flow.steps.map { ($0.id, $0.title) } + [("(unknown)", "page not named")]
    let found = pages.compactMap { page in
      analysis.datum(.skipShare, step: page.0).map { (page.1, $0) }
    }.filter { ($0.1.row.numerator ?? 0) > 0 }
    let table = DataTable(
      caption: "The page of the first skip tap, of those who used Skip",
      columns: [
        .words("Page"), .plot("share"), .number("first skips"), .number("share"),
      ],
      rows: found.map { name, datum in
        [
          .name(name), .plot(shareBar(name, datum)), .number(datum.count), .number(datum.rate),
        ]
      })
    let about = Markup { page in
      page.number(used.count)
      page.text(" of ")
      page.number(used.total)
      page.text(" used Skip (")
      page.number(used.rate)
      page.text("). The page they tapped may differ from the furthest they saw.")
    }
    return figure("Skip by page", about, table)
  }

  private func backAndForth() -> TemplateContext? {
    let found = flow.steps.compactMap { step in
      analysis.datum(.stepWentBack, step: step.id).map { (step.title, $0) }
    }.filter { ($0.1.row.numerator ?? 0) > 0 }
    guard !found.isEmpty else { return nil }
    let table = DataTable(
      caption: "Viewed again after a later step, of those who viewed it",
      columns: [.words("Step"), .plot("share"), .number("went back"), .number("share")],
      rows: found.map { name, datum in
        [
          .name(name), .plot(shareBar(name, datum)), .number(datum.count), .number(datum.rate),
        ]
      })
    let about = Markup { page in
      page.number(analysis.datum(.resumed)?.count)
      page.text(" people came back to the onboarding after a break; ")
      if let place = analysis.datum(.resumedInPlace), (place.row.denominator ?? 0) > 0 {
        page.text("of the ")
        page.number(place.total)
        page.text(" who then saw a page, ")
        page.number(place.count)
        page.text(" went on where they had left off. ")
      }
      page.number(analysis.datum(.replayed)?.count)
      page.text(" went through it once more later.")
    }
    let most = found.max { ($0.1.row.numerator ?? 0) < ($1.1.row.numerator ?? 0) }
    return TemplateContext { page in
      page.text("id", ChartID("balance", "back").text)
      page.markup(
        "summary",
        Markup { page in
          page.text("Back and forth: ")
          page.number(most?.1.count)
          page.text(" viewed ")
          page.name(most?.0 ?? "", limit: 60)
          page.text(" again, most of all steps")
        })
      page.markup("about", about)
      page.markup("chart", table.markup)
    }
  }

  /// A rate as a plain bar.
  func shareBar(_ name: String, _ datum: Datum, fill: String = "on") -> Markup {
    StackBar(
      title: "\(SafeText.name(name, limit: 60)): "
        + "\(datum.row.value.map(DisplayText.percent) ?? "–")",
      parts: [.init(name: name, count: datum.row.numerator ?? 0, fill: fill)],
      total: datum.row.denominator ?? 0
    ).markup
  }
}
