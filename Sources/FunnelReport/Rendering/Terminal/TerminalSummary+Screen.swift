internal import FlowDefinition
internal import FunnelEngine
public import FunnelMetrics
internal import ReportFindings
public import ReportText

extension Report {
  /// The answers of a report on one screen: how many finish, where people drop off, what was found,
  /// what the experiments say. ``terminalSummary(style:)`` has all the rest.
  public func terminalScreen(style: TerminalStyle) -> String {
    var summary = TerminalSummary(report: self, page: TerminalPage(style: style))
    summary.buildScreen()
    return summary.page.text
  }
}

extension TerminalSummary {
  private static let maximumSteps = 12
  private static let maximumVerdicts = 4
  /// A finding takes no more, but for what it can't do without.
  private static let linesOfFinding = 3

  mutating func buildScreen() {
    addTitle()
    addEarlier(isWhole: false)
    addSteps()
    let decisions = Decision.all(analysis, horizon: report.provenance.horizonMilliseconds)
    // What the experiments say has a section of its own.
    let findings = report.findings.filter { decisions.isEmpty || $0.kind != .experiment }
    if !findings.isEmpty {
      let others = report.findings.filter { !decisions.isEmpty && $0.kind == .experiment }
      let below =
        others.isEmpty ? "" : "; \(others.map { "\($0.rank)" }.listed): see EXPERIMENTS"
      page.heading("FINDINGS", note: "the most important first" + below)
    }
    for finding in findings {
      // The number that it has on the page.
      let lead = TextWidth.right("\(finding.rank) ", 3)
      if finding.tone == .alarm {
        // What is wrong with the data is followed by what to do about it.
        page.paragraph(
          SafeText.name(finding.text, limit: 2000), lead: lead, paint: color(finding.tone))
      } else {
        addShortened(finding.text, kept: kept(finding), lead: lead, color(finding.tone))
      }
    }
    addVerdicts(decisions)
    page.line()
    page.paragraph(
      "--full prints every section; --out FOLDER writes the page and the tables.", lead: "",
      paint: .dim)
  }

  /// Everyone's way through the steps, one line each.
  private mutating func addSteps() {
    let layout = analysis.slices.layout
    let places = StepPlaces(.all, flow)
    let all = places.order.filter { analysis.slices.count(.all, layout[.listed, $0]) > 0 }
    guard !all.isEmpty else { return }
    let whose = report.leading == .all ? "" : "all flow versions: "
    page.heading("FUNNEL", note: whose + "people who reach the step, of all who should see it")
    let shown = mostTelling(all)
    let names = shown.map { stepName(flow.steps[$0]) }
    let columns = min(max(18, names.map(TextWidth.of).max() ?? 0), page.width / 3)
    let bar = page.width - columns - 2 - 1 - 9 - 24
    for (step, name) in zip(shown, names) {
      let declared = flow.steps[step]
      let reach = analysis.row(.stepReach, step: declared.id)
      let left = analysis.row(.stepDropOff, step: declared.id)
      let count = left?.numerator ?? 0
      let lost =
        count == 0
        ? ""
        : "−\(NumberText.grouped(count))"
          + TextWidth.right("(\(TerminalPage.rate(left?.value)))", 11)
      page.line(
        "  " + TextWidth.left(name, columns) + " "
          + page.bar(reach?.value, columns: bar)
          + TextWidth.whole(TerminalPage.rate(reach?.value), 9)
          + page.paint(TextWidth.right(lost, 24), .red))
    }
    if shown.count < all.count {
      let others = all.count - shown.count
      page.line(
        page.paint("  Not shown: \(others) steps that lose fewer people, or as few.", .dim))
    }
  }

  /// `First event (v1)`, of a step that only an earlier version of the flow has.
  private func stepName(_ step: Step) -> String {
    let title = SafeText.name(step.title, limit: 60)
    return StepVersion(step, analysis).map { "\(title) (v\($0.name))" } ?? title
  }

  /// In the order of the flow: all steps, or those that lose the most people.
  private func mostTelling(_ steps: [Int]) -> [Int] {
    guard steps.count > TerminalSummary.maximumSteps else { return steps }
    func lost(_ step: Int) -> Int {
      analysis.row(.stepDropOff, step: flow.steps[step].id)?.numerator ?? 0
    }
    let kept = steps.enumerated().sorted { left, right in
      let counts = (lost(left.element), lost(right.element))
      return counts.0 != counts.1 ? counts.0 > counts.1 : left.offset < right.offset
    }.prefix(TerminalSummary.maximumSteps).map(\.offset)
    return kept.sorted().map { steps[$0] }
  }

  private mutating func addVerdicts(_ decisions: [Decision]) {
    guard !decisions.isEmpty else { return }
    page.heading("EXPERIMENTS")
    for decision in decisions.prefix(TerminalSummary.maximumVerdicts) {
      let color: TerminalPage.Paint? =
        switch decision.tone {
        case .ready: .green
        case .wait: nil
        case .alarm: .red
        }
      addShortened(
        "\(decision.title). \(decision.text)", kept: decision.kept, lead: "  ", color)
    }
    let more = decisions.count - TerminalSummary.maximumVerdicts
    if more > 0 { page.line(page.paint("  … and \(more) more", .dim)) }
  }

  /// What a finding says in any room.
  private func kept(_ finding: Finding) -> String {
    switch finding.kind {
    case .release, .version: "An observation, not an experiment."
    default: finding.short.text
    }
  }

  /// A text in three lines, or in as many as its shortest form takes.
  private mutating func addShortened(
    _ text: String, kept: String = "", lead: String, _ color: TerminalPage.Paint?
  ) {
    let style = page.style
    let shown = ShortText(SafeText.name(text, limit: 2000), kept: SafeText.name(kept, limit: 400))
      .fitting { form in
        var trial = TerminalPage(style: style)
        trial.paragraph(form, lead: lead)
        return trial.lines.count <= TerminalSummary.linesOfFinding
      }
    page.paragraph(shown, lead: lead, paint: color)
  }

  func color(_ tone: Finding.Tone) -> TerminalPage.Paint? {
    switch tone {
    case .alarm: .red
    case .bad: .yellow
    case .good: .green
    case .neutral: nil
    }
  }
}
