internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

extension TerminalSummary {
  /// Who used skip, and where first.
  mutating func addSkips() {
    guard analysis.hasSkips, let used = analysis.row(.usedSkipRate) else { return }
    page.heading("SKIP", note: "people who skipped, and on which page they did so first")
    if analysis.unmeasured.contains(.usedSkipRate) {
      let reason = analysis.unmeasured.reason(for: .usedSkipRate)
      page.paragraph(reason?.sentence ?? "Unknown.", lead: "  ")
      return
    }
    rateLine(TextWidth.left("used Skip", 24), used, .yellow)
    guard (used.numerator ?? 0) > 0 else { return }
    let pages = flow.steps.map { ($0.id, $0.title) } + [("(unknown)", "page not named")]
    for (id, title) in pages {
      guard let row = analysis.row(.skipShare, step: id), (row.numerator ?? 0) > 0 else {
        continue
      }
      rateLine(TextWidth.left("  " + SafeText.name(title, limit: 60), 24), row, .yellow)
    }
  }

  /// Three rates for each permission, always by name.
  mutating func addPermissions() {
    guard !flow.permissions.isEmpty else { return }
    page.heading(
      "PERMISSIONS", note: "opt-in: of all · acceptance: of those asked · asked: of all")
    let column = (page.width - 26) / 3
    let heads = ["opt-in", "acceptance", "asked"].map { TextWidth.right($0, column) }.joined()
    for name in flow.permissions {
      page.line(
        "  " + page.paint(TextWidth.left(SafeText.name(name), 24), .bold) + page.paint(heads, .dim))
      let slices = permissionSlices.map { slice in
        (
          slice.label,
          [MetricName.permissionOptIn, .permissionAcceptance, .permissionReach].map {
            analysis.row($0, step: name, in: slice.slice)
          }
        )
      }
      addPermissionSlices(slices, column: column)
      addAfterDenial(name)
    }
  }

  /// A line for each slice, or two where the counts of large apps need the room of their rates.
  private mutating func addPermissionSlices(
    _ slices: [(label: String, rows: [MetricRow?])], column: Int
  ) {
    let longest = slices.flatMap(\.rows).map { counts($0).count }.max() ?? 0
    let needsTwo = longest > column - 9
    for (label, rows) in slices {
      let cells = rows.map { row in
        let rate = TerminalPage.rate(row?.value)
        if needsTwo { return TextWidth.right(rate, column) }
        return TextWidth.right(rate, 8)
          + page.paint(TextWidth.right(counts(row), column - 8), .dim)
      }
      page.line("  " + TextWidth.left(label, 24) + cells.joined())
      if needsTwo {
        let below = rows.map { TextWidth.right(counts($0), column) }.joined()
        page.line("  " + TextWidth.left("", 24) + page.paint(below, .dim))
      }
    }
  }

  private var permissionSlices: [(label: String, slice: Slice)] {
    var slices: [(String, Slice)] = [("everyone", .all)]
    slices += besideEveryone.map { (label($0), $0) }
    if case .leadsTo = flow.skip {
      for (value, words) in [("no", "read on"), ("yes", "skipped ahead")] {
        let key = BreakdownKey(dimension: BreakdownKey.usedSkip, value: value)
        slices.append((words, Slice(breakdown: key)))
      }
    }
    return slices
  }

  private func counts(_ row: MetricRow?) -> String {
    NumberText.grouped(row?.numerator ?? 0) + "/" + NumberText.grouped(row?.denominator ?? 0)
  }

  private mutating func addAfterDenial(_ permission: String) {
    let parts = [
      ("dropped off right after", MetricName.permissionLeftAfterDenial),
      ("granted later", .permissionRecovered),
    ].compactMap { words, metric -> String? in
      guard let row = analysis.row(metric, step: permission), (row.denominator ?? 0) > 0 else {
        return nil
      }
      return "\(words) \(TerminalPage.rate(row.value)) \(row.countsText)"
    }
    if !parts.isEmpty { page.paragraph("of people who denied: " + parts.joined(separator: ", ")) }
  }

  private mutating func addAmounts(_ goal: Goal) {
    guard goal.value != nil, let mean = analysis.row(.goalValue, step: goal.id),
      let value = mean.value, let sum = analysis.row(.goalValueTotal, step: goal.id)?.value
    else { return }
    let interval =
      mean.low.flatMap { low in
        mean.high.map { " (95 % CI \(RateText.amount(low)) to \(RateText.amount($0)))" }
      } ?? ""
    page.paragraph(
      "\(SafeText.name(goal.title)): \(RateText.amount(value)) per person\(interval), "
        + "\(RateText.amount(sum)) in total"
        + (analysis.row(.goalValuePerEvent, step: goal.id)?.value.map {
          ", \(RateText.amount($0)) per event"
        } ?? ""))
  }

  private static let maximumValues = 6

  mutating func addGoals() {
    guard !flow.goals.isEmpty || !flow.friction.isEmpty else { return }
    page.heading("GOALS AND FRICTION")
    let titles = (flow.goals.map(\.title) + flow.friction.map(\.words)).map { TextWidth.of($0) }
    let columns = min(36, max(19, titles.max() ?? 0))
    for goal in flow.goals {
      guard let row = analysis.row(.goalRate, step: goal.id) else { continue }
      let within = DurationText.format(goal.withinMilliseconds)
      let title = TextWidth.left(SafeText.name(goal.title, limit: columns), columns)
      let name = title + TextWidth.right(within, 5)
      rateLine(name, row, .green)
      if let overall = analysis.row(.goalRateOverall, step: goal.id) {
        rateLine(TextWidth.left("  of everyone", columns + 5), overall, .green)
      }
      let values = analysis.valuesInWords(of: goal, first: TerminalSummary.maximumValues)
      for value in values {
        let name = "  " + SafeText.name(value.words, limit: 22)
        rateLine(TextWidth.left(name, columns + 5), value.row, .green)
      }
      addAmounts(goal)
    }
    for friction in flow.friction {
      guard let row = analysis.row(.frictionRate, step: friction.id) else { continue }
      let title = SafeText.name(friction.words, limit: columns)
      rateLine(TextWidth.left(title, columns + 5), row, .red)
    }
  }
}
