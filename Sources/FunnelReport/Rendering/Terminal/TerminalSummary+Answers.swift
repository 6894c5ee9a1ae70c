internal import FlowDefinition
internal import FunnelEngine

extension TerminalSummary {
  /// Who used skip, and where first.
  mutating func addSkips() {
    guard let used = analysis.row("used_skip_rate") else { return }
    page.heading("SKIP", note: "first skip by page, of those who used skip")
    rateLine(TextWidth.left("used skip", 24), used, .yellow)
    guard (used.numerator ?? 0) > 0 else { return }
    for page in flow.steps.map(\.id) + ["(unknown)"] {
      guard let row = analysis.row("skip_share", step: page), (row.numerator ?? 0) > 0 else {
        continue
      }
      rateLine(TextWidth.left("  " + SafeText.name(page), 24), row, .yellow)
    }
  }

  /// Three rates for each permission, always by name.
  mutating func addPermissions() {
    guard !flow.permissions.isEmpty else { return }
    page.heading(
      "PERMISSIONS", note: "opt-in: of all · acceptance: of those asked · reach: asked, of all")
    let column = (page.width - 26) / 3
    let heads = ["opt-in", "acceptance", "reach"].map { TextWidth.right($0, column) }.joined()
    for name in flow.permissions {
      page.line(
        "  " + page.paint(TextWidth.left(SafeText.name(name), 24), .bold) + page.paint(heads, .dim))
      for slice in permissionSlices {
        let cells = ["opt_in", "acceptance", "reach"].map { rate in
          cell(analysis.row("permission_\(rate)", step: name, in: slice.slice), column)
        }
        page.line("  " + TextWidth.left(slice.label, 24) + cells.joined())
      }
      addAfterDenial(name)
    }
  }

  private var permissionSlices: [(label: String, slice: Slice)] {
    var slices: [(String, Slice)] = [("everybody", .all)]
    slices += comparedSlices.filter { $0 != .all }.prefix(8).map { (label($0), $0) }
    if case .leadsTo = flow.skip {
      for (value, words) in [("no", "read on"), ("yes", "skipped ahead")] {
        let key = BreakdownKey(dimension: BreakdownKey.usedSkip, value: value)
        slices.append((words, Slice(breakdown: key)))
      }
    }
    return slices
  }

  private func cell(_ row: MetricRow?, _ columns: Int) -> String {
    let counts =
      NumberText.grouped(row?.numerator ?? 0) + "/"
      + NumberText.grouped(row?.denominator ?? 0)
    return TextWidth.right(TerminalPage.rate(row?.value), 8)
      + page.paint(TextWidth.right(counts, columns - 8), .dim)
  }

  private mutating func addAfterDenial(_ permission: String) {
    let parts = [
      ("left right after denying", "permission_left_after_denial"),
      ("granted later", "permission_recovered"),
    ].compactMap { words, metric -> String? in
      guard let row = analysis.row(metric, step: permission), (row.denominator ?? 0) > 0 else {
        return nil
      }
      return "\(words) \(TerminalPage.rate(row.value)) \(row.countsText)"
    }
    if !parts.isEmpty { page.paragraph("of the deniers: " + parts.joined(separator: ", ")) }
  }

  mutating func addGoals() {
    guard !flow.goals.isEmpty || !flow.friction.isEmpty else { return }
    page.heading("GOALS AND FRICTION")
    for goal in flow.goals {
      guard let row = analysis.row("goal_rate", step: goal.id) else { continue }
      let within = DurationText.format(goal.withinMilliseconds)
      let name = TextWidth.left(SafeText.name(goal.id), 19) + TextWidth.right(within, 5)
      rateLine(name, row, .green)
    }
    for friction in flow.friction {
      guard let row = analysis.row("friction_rate", step: friction.id) else { continue }
      rateLine(TextWidth.left(SafeText.name(friction.id), 24), row, .red)
    }
  }
}
