internal import FlowDefinition
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension HTMLReport {
  /// Goals, and under each its values.
  func goals() -> TemplateContext? {
    guard !flow.goals.isEmpty else { return nil }
    let rows = flow.goals.map { goal in
      flow.isRandomised(goal)
        ? row(MetricWords.windowed(goal), step: goal.id, metric: .goalRate)
        : row(
          "\(MetricWords.windowed(goal)), of everyone", step: goal.id, metric: .goalRateOverall)
    }
    let among = flow.goals.compactMap { goal in
      MetricWords.ofSome(goal.anchor, viewed: goal.ofViewedStep, flow).map {
        row(goal.title + $0, step: goal.id, metric: .goalRate)
      }
    }
    var context = figure(
      "Goals",
      "Reached in its window, of those for whom the window is over.\(ofAllVersions)"
        + (ReportWords.everyoneIncludes(analysis).map { " " + DisplayText.sentence($0) } ?? ""),
      table("Goals with counts", "Goal", Array(rows.prefix(HTMLReport.openGoals))))
    let further = Array(rows.dropFirst(HTMLReport.openGoals))
    if !further.isEmpty {
      context.markups("further", [table("Further goals with counts", "Goal", further).markup])
    }
    let values = flow.goals.filter { $0.by != nil }.flatMap(values)
    if !values.isEmpty {
      context.markups(
        "values", [table("Goals by their values, with counts", "Goal and value", values).markup])
    }
    if let amounts = amounts() { context.markups("amounts", [amounts.markup]) }
    if !among.isEmpty {
      context.markups(
        "among", [table("Goals among people who got further, with counts", "Goal", among).markup])
    }
    return context
  }

  /// Goals that stand open; further ones unfold.
  private static let openGoals = 8

  /// The commonest values of a goal.
  private func values(_ goal: Goal) -> [[DataTable.Cell]] {
    analysis.valuesInWords(of: goal, first: 8).map { value in
      row("\(goal.title): \(value.words)", step: value.row.step, metric: .goalRate)
    }
  }

  /// What goals' amounts come to: per person, in total, and per event where that is asked for.
  func amounts() -> DataTable? {
    let goals = flow.goals.filter { $0.value != nil }
    guard !goals.isEmpty else { return nil }
    let others = goalSlices
    let hasEvents = goals.contains(where: \.countsAmountPerEvent)
    return DataTable(
      caption: "Amounts, of those for whom the goal’s window is over",
      columns: [
        .words("Goal"), .number("per person"), .number("95 % interval"), .number("total"),
      ] + (hasEvents ? [.number("per event")] : [])
        + others.map { .slice(analysis.label($0), variant: tag($0)) },
      rows: goals.map { goal in
        let mean = analysis.datum(.goalValue, step: goal.id)
        return [
          .name(goal.title), .number(mean?.amount),
          .pair(mean?.amountLow, " to ", mean?.amountHigh),
          .number(analysis.datum(.goalValueTotal, step: goal.id)?.amount),
        ]
          + (hasEvents
            ? [.number(analysis.datum(.goalValuePerEvent, step: goal.id)?.amount)] : [])
          + others.map { slice in
            .number(analysis.datum(.goalValue, step: goal.id, in: slice)?.amount)
          }
      })
  }

  /// What a flow file asks for besides: friction, and funnels of its own.
  func more() -> TemplateContext? {
    let names =
      (flow.friction.isEmpty ? [] : ["friction"])
      + flow.funnels.map { "funnel “\(flow.words(of: $0))”" }
    guard !names.isEmpty else { return nil }
    return TemplateContext { page in
      page.markup("summary", HTMLReport.summary(names.listed.capitalizedFirst))
      page.list("figures", [friction()].compactMap { $0 } + funnels())
    }
  }

  private func friction() -> TemplateContext? {
    guard !flow.friction.isEmpty else { return nil }
    return figure(
      "Friction", "Share of all people who ran into it during the attempt.",
      table(
        "Friction with counts", "Friction",
        flow.friction.map { row($0.words, step: $0.id, metric: .frictionRate) }))
  }

  private func funnels() -> [TemplateContext] {
    flow.funnels.map { funnel in
      let rows = funnel.steps.indices.map { index -> [DataTable.Cell] in
        let step = "\(funnel.id):\(index + 1)"
        let names = funnel.steps[index].anyOf.map { $0.words(flow) }.joined(separator: " or ")
        return row("\(index + 1) \(names)", step: step, metric: .funnelStep)
      }
      return figure(
        "Funnel “\(flow.words(of: funnel))”", anchor: "Funnel \(funnel.id)",
        "Of people who entered it and whose \(DurationText.format(funnel.windowMilliseconds)) are "
          + "over.",
        table("Got that far", "Step", rows))
    }
  }

  private func figure(
    _ name: String, anchor: String? = nil, _ about: String, _ table: DataTable
  ) -> TemplateContext {
    TemplateContext { page in
      page.text("id", ChartID("retention", anchor ?? name).text)
      page.markup("name", Markup { $0.name(name, limit: 80) })
      page.text("about", about)
      page.markup("table", table.markup)
    }
  }

  /// Variants, and versions of the flow: one that more people finish may bring fewer to the goals.
  private var goalSlices: [Slice] {
    let compared = compared.filter { $0 != .all }
    let versions = analysis.seenVersions
    let others = versions.count < 2 ? [] : versions.filter { !compared.contains($0) }
    return Array(compared.prefix(4)) + Array(others.prefix(max(0, 4 - compared.count)))
  }

  private func table(_ caption: String, _ what: String, _ rows: [[DataTable.Cell]]) -> DataTable {
    let others = goalSlices
    return DataTable(
      caption: caption,
      columns: [.words(what), .plot("share"), .number("everyone"), .number("people")]
        + others.map { .slice(analysis.label($0), variant: tag($0)) }, rows: rows)
  }

  private func row(_ name: String, step: String, metric: MetricName) -> [DataTable.Cell] {
    let datum = analysis.datum(metric, step: step)
    let bar = datum.map { shareBar(name, $0) } ?? Markup(escaping: "")
    return [
      .name(name), .plot(bar), .number(datum?.rate), .pair(datum?.count, "/", datum?.total),
    ]
      + goalSlices.map { slice in
        .number(analysis.datum(metric, step: step, in: slice)?.rate)
      }
  }
}
