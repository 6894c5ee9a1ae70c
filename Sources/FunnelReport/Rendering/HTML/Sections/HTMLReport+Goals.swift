internal import FlowDefinition

extension HTMLReport {
  /// Goals, and under each its values.
  func goals() -> TemplateContext? {
    guard !flow.goals.isEmpty else { return nil }
    var rows: [[DataTable.Cell]] = []
    for goal in flow.goals {
      rows.append(row(goal.id, step: goal.id, metric: "goal_rate"))
      guard goal.by != nil else { continue }
      let values = analysis.rows.filter {
        $0.slice == .all && $0.metric == "goal_rate" && $0.step.hasPrefix(goal.id + ":")
      }
      for value in values.prefix(8) {
        rows.append(
          row("– " + value.step.dropFirst(goal.id.count + 1), step: value.step, metric: "goal_rate")
        )
      }
    }
    return figure(
      "Goals", "Reached in its window, of those for whom the window is over.",
      table("Goals with counts", "Goal", rows))
  }

  func friction() -> TemplateContext? {
    guard !flow.friction.isEmpty else { return nil }
    return figure(
      "Friction", "Met it in the attempt, of all persons.",
      table(
        "Friction with counts", "Friction",
        flow.friction.map { row($0.id, step: $0.id, metric: "friction_rate") }))
  }

  func funnels() -> [TemplateContext] {
    flow.funnels.map { funnel in
      let rows = funnel.steps.indices.map { index -> [DataTable.Cell] in
        let step = "\(funnel.id):\(index + 1)"
        let names = funnel.steps[index].anyOf.map(\.words).joined(separator: " or ")
        return row("\(index + 1) \(names)", step: step, metric: "funnel_step")
      }
      return figure(
        "Funnel \(funnel.id)",
        "Of those who entered it, within \(DurationText.format(funnel.windowMilliseconds)).",
        table("Got that far", "Step", rows))
    }
  }

  private func figure(_ name: String, _ about: String, _ table: DataTable) -> TemplateContext {
    TemplateContext { page in
      page.markup("name", Markup { $0.name(name, limit: 80) })
      page.text("about", about)
      page.markup("table", table.markup)
    }
  }

  private func table(_ caption: String, _ what: String, _ rows: [[DataTable.Cell]]) -> DataTable {
    let others = compared.filter { $0 != .all }.prefix(4)
    return DataTable(
      caption: caption,
      columns: [.words(what), .plot("share"), .number("everybody"), .number("persons")]
        + others.map { .number(analysis.label($0)) }, rows: rows)
  }

  private func row(_ name: String, step: String, metric: String) -> [DataTable.Cell] {
    let datum = analysis.datum(metric, step: step)
    let bar = datum.map { shareBar(name, $0) } ?? Markup(escaping: "")
    return [
      .name(name), .plot(bar), .number(datum?.rate), .pair(datum?.count, "/", datum?.total),
    ]
      + compared.filter { $0 != .all }.prefix(4).map { slice in
        .number(analysis.datum(metric, step: step, in: slice)?.rate)
      }
  }
}

extension EventPattern {
  /// `purchase_result (status purchased, restored)`
  fileprivate var words: String {
    if conditions.isEmpty { return event }
    let all = conditions.map { "\($0.property) \($0.values.joined(separator: ", "))" }
    return "\(event) (\(all.joined(separator: "; ")))"
  }
}
