internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension Report {
  /// `report.html`: one self-contained page without network or fonts of its own; its script only
  /// sorts and hides.
  func htmlText() -> String { HTMLReport(self).text() }
}

/// The page's frame; each section is written in a file of its own.
struct HTMLReport {
  let report: Report
  let headline: Headline?
  let leading: Slice
  var analysis: Analysis { report.analysis }
  var flow: Flow { report.analysis.flow }

  /// At most so many slices stand side by side; the rest is in the tables for spreadsheets.
  static let maximumSlices = 6
  /// So many funnels are shown at first; the others are a click away.
  static let openFunnels = 5
  static let openTrends = 1

  init(_ report: Report) {
    self.report = report
    headline = report.headline
    leading = report.leading
  }

  /// What stands side by side.
  var compared: [Slice] { Array(analysis.comparedSlices.prefix(HTMLReport.maximumSlices)) }

  /// The version that the first screen is about, everyone, and what is compared.
  var everybodyAndCompared: [Slice] {
    (leading == .all ? [] : [leading]) + (compared == [.all] ? compared : [.all] + compared)
  }

  /// ` Of everyone, all flow versions.`, at what has everyone alone where the first screen is about
  /// one version.
  var ofAllVersions: String { leading == .all ? "" : " Of everyone, all flow versions." }

  func text() -> String {
    let sections: [(id: String, name: String, markup: Markup?)] = [
      ("findings", "Findings", findingsSection()),
      ("changes", "What changed", changesSection()),
      ("experiments", "Experiments", experimentsSection()),
      ("balance", "Balance sheet", balanceSection()),
      ("ways", "Paths", waysSection()),
      ("permissions", "Permissions", permissionsSection()),
      ("time", "Time", timeSection()),
      ("retention", "Retention and goals", retentionSection()),
      ("trends", "Trends and breakdowns", trendsSection()),
      ("history", "The last reports", historySection()),
      ("quality", "Data quality", qualitySection()),
    ]
    let shown = sections.filter { $0.markup != nil }
    let page = TemplateContext { page in
      page.text("title", SafeText.name(flow.title, limit: 80))
      page.text("flow", SafeText.name(flow.id, limit: 40))
      page.markup("style", Markup(trusted: PageTemplates.styleSheet))
      page.markup("script", Markup(trusted: PageTemplates.script))
      page.markup("scriptHash", Markup(trusted: PageTemplates.scriptHash))
      page.markup("symbols", SeriesMark.symbols)
      page.markup("dates", dates)
      let claim = headline?.claim ?? SafeText.name(flow.title, limit: 80)
      page.text("headline", DisplayText.sentence(claim.replacing(" → ", with: "\u{A0}→ ")))
      page.text("certainty", DisplayText.sentence(headline?.detail ?? ""))
      page.text("tone", headline?.tone.rawValue ?? "")
      page.list(
        "headlineChart",
        headline?.chart.map { chart in
          [
            TemplateContext {
              $0.text("target", chart.text)
              $0.text("words", chart.linkWords)
            }
          ]
        } ?? [])
      page.markup("population", Tile.population(self))
      page.list("tiles", Tile.all(self))
      page.markup("funnel", funnelSection())
      page.list(
        "contents",
        (shown.map { ($0.id, $0.name) } + [("definitions", "Definitions")]).map { entry in
          TemplateContext {
            $0.text("id", entry.0)
            $0.text("name", entry.1)
          }
        })
      page.markups("sections", shown.compactMap(\.markup))
      page.text("program", report.provenance.programVersion)
      page.text("semantics", String(Flow.semanticsVersion))
      page.text("fingerprint", String(flow.fingerprint.prefix(12)))
    }
    let markup = PageTemplates.fill(.report, page).text
    return markup.hasSuffix("\n") ? markup : markup + "\n"
  }

  /// Who is counted, up to when, and how far the data can be trusted.
  private var dates: Markup {
    Markup { page in
      page.number(analysis.datum(.entered)?.count)
      page.text(analysis.row(.entered)?.numerator == 1 ? " person" : " people")
      page.text(" started" + (ReportWords.dates(report).map { " \($0)" } ?? ""))
      if let datum = analysis.datum(.immature), let open = datum.row.numerator, open > 0 {
        page.text(", ")
        page.number(datum.count)
        page.text(" joined too recently to count")
      }
      if let words = ReportWords.leftOut(analysis) {
        page.text("; ")
        page.sentence(words)
      }
      if let horizon = report.provenance.horizonMilliseconds {
        page.text(" · data complete until \(DateText.minute(horizon))")
      }
      if let known = ReportWords.knownBefore(report) {
        page.element("span", ["class": "wide"]) { page in
          page.text(" · ")
          page.element(
            "span", ["title": known],
            text: ReportWords.dataBegin(report) ?? "")
        }
      }
      page.text(" · ")
      let grade = ReportGrade(report)
      page.element("a", ["href": "#quality"], text: "data quality \(grade.letter.rawValue)")
    }
  }

  /// Marks what is of one of the compared slices, so that a reader can choose which are shown.
  func tag(_ slice: Slice) -> String? {
    guard compared.count > 1 else { return nil }
    return compared.firstIndex(of: slice).map { String($0) }
  }

  /// What is folded away, in words that may hold names.
  static func summary(_ words: String) -> Markup { Markup { $0.name(words, limit: 200) } }

  /// `53 of 63 · 73.2–91.1 %`
  func counts(_ datum: Datum) -> Markup {
    Markup { page in
      page.number(datum.count)
      page.text(" of ")
      page.number(datum.total)
      guard let low = datum.low, let high = datum.high else { return }
      page.text(" · ")
      page.element("span", ["class": "nb"]) { page in
        page.number(low)
        page.text("–")
        page.number(high)
        page.text("\u{A0}%")
      }
    }
  }
}
