internal import FlowDefinition
internal import FunnelEngine
public import FunnelMetrics
internal import ReportFindings
public import ReportText

extension Report {
  /// Every section of the summary, in `style.width` columns.
  ///
  /// Names from events can't carry escape codes into it. Colours are used only if asked for.
  public func terminalSummary(style: TerminalStyle) -> String {
    var summary = TerminalSummary(report: self, page: TerminalPage(style: style))
    summary.build()
    return summary.page.text
  }
}

/// The sections of the summary, in order; each is written in a file of its own.
struct TerminalSummary {
  let report: Report
  var page: TerminalPage
  var analysis: Analysis { report.analysis }
  var flow: Flow { report.analysis.flow }

  mutating func build() {
    addTitle()
    addEarlier(isWhole: true)
    addFindings()
    addFunnels()
    addNextEvents()
    addSkips()
    addPermissions()
    addGoals()
    addTimes()
    addRetention()
    addExperiments()
    addTargets()
    addHistory()
    addQuality()
    addChoices()
  }

  mutating func addTitle() {
    let id = SafeText.name("flow \(flow.id)", limit: 30)
    let title = TextWidth.left(SafeText.name(flow.title), page.width - TextWidth.of(id) - 2)
    page.line(page.paint(title, .bold) + "  " + page.paint(id, .dim))
    let grade = ReportGrade(report)
    var facts = ["data quality \(grade.letter.rawValue)"]
    if let horizon = report.provenance.horizonMilliseconds {
      facts.insert("data complete until \(DateText.minute(horizon))", at: 0)
    }
    if let begin = ReportWords.dataBegin(report) { facts.append(begin) }
    var lines = [facts.joined(separator: " · ")]
    if TextWidth.of(lines[0]) > page.width, let last = facts.popLast() {
      lines = [facts.joined(separator: " · "), last]
    }
    for line in lines { page.paragraph(line, lead: "") }
    page.line(page.paint(String(repeating: "─", count: page.width), .dim))
    if let headline = report.headline {
      page.paragraph(headline.claim.ended, lead: "", paint: .bold)
      if !headline.figures.isEmpty { page.paragraph(headline.figures, lead: "") }
    }
    addOutcomes()
  }

  private mutating func addOutcomes() {
    func count(_ metric: MetricName) -> Int { analysis.row(metric)?.numerator ?? 0 }
    let dates = ReportWords.dates(report).map { " \($0)" } ?? ""
    let recent = count(.immature)
    page.paragraph(
      "\(ReportWords.people(count(.entered))) started\(dates)."
        + (recent > 0 ? " " + ReportWords.tooRecent(recent) : "")
        + (ReportWords.leftOut(analysis).map { " \($0)." } ?? ""), lead: "")
    let rates: [(String, MetricName, TerminalPage.Paint)] = [
      ("finished", .completionRate, .green), ("left by skipping", .skipRate, .yellow),
      ("abandoned", .abandonRate, .red),
    ]
    for (name, metric, color) in rates {
      guard let row = analysis.row(metric) else { continue }
      if metric == .skipRate && !analysis.hasSkips { continue }
      if analysis.unmeasured.contains(metric) {
        page.line("  \(TextWidth.left(name, 16)) unknown")
        continue
      }
      rateLine(TextWidth.left(name, 16), row, color)
      if metric == .completionRate { addVersion(color) }
      let later = count(.finishedAfterSkipping)
      if metric == .completionRate, later > 0 {
        page.line("  \(TextWidth.left("", 16)) \(NumberText.grouped(later)) of them after skipping")
      }
    }
    if let words = ReportWords.noSkip(analysis) { page.paragraph(words, paint: .dim) }
  }

  /// Of a headline about one version, that version's rate below everyone's.
  private mutating func addVersion(_ color: TerminalPage.Paint) {
    guard let slice = report.headline?.population, slice != .all,
      let row = analysis.row(.completionRate, in: slice)
    else { return }
    let name = SafeText.name("flow version \(slice.version)", limit: 14)
    rateLine(TextWidth.left("  \(name)", 16), row, color)
  }

  /// Label, bar, rate, counts and interval: the line that most sections are made of.
  mutating func rateLine(_ label: String, _ row: MetricRow, _ color: TerminalPage.Paint = .cyan) {
    let numbers =
      TextWidth.whole(TerminalPage.rate(row.value), 7) + " "
      + TextWidth.right(row.countsText, countColumns)
      + page.paint(TextWidth.whole(interval(row), 14), .dim)
    let room = page.width - 2 - TextWidth.of(label) - 1 - 1 - 22 - countColumns
    page.line("  \(label) \(page.bar(row.value, columns: max(4, room), color)) \(numbers)")
  }

  /// An interval in a column: `73.2–91.1 %`.
  private func interval(_ row: MetricRow?) -> String {
    guard let low = row?.low, let high = row?.high else { return "–" }
    return "\(RateText.column(low))–\(RateText.column(high)) %"
  }

  /// What `(53/63)` takes where all persons are in it.
  private var countColumns: Int {
    let digits = NumberText.grouped(analysis.row(.persons)?.numerator ?? 0).count
    return min(19, max(9, 2 * digits + 3))
  }

  private mutating func addFindings() {
    page.heading("FINDINGS", note: "95 % intervals")
    let findings = report.findings
    if findings.isEmpty { page.paragraph("None.") }
    for finding in findings {
      page.paragraph(
        SafeText.name(finding.text, limit: 2000), lead: " \(finding.rank) ",
        paint: color(finding.tone))
    }
  }

  /// The slices that are worth a table each.
  var comparedSlices: [Slice] { analysis.comparedSlices }

  /// What has a line beside everyone's: the version that the headline is about, what is compared.
  var besideEveryone: [Slice] {
    (report.leading == .all ? [] : [report.leading])
      + comparedSlices.filter { $0 != .all }.prefix(8)
  }

  func label(_ slice: Slice) -> String { analysis.label(slice) }
}
