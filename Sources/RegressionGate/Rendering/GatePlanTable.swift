internal import FlowDefinition
internal import FunnelMetrics
package import ReportText

/// What a gate can catch, for a terminal.
package struct GatePlanTable: Sendable {
  private static let titleColumns = 31

  private let plan: GatePlan
  private let style: TerminalStyle

  package init(_ plan: GatePlan, style: TerminalStyle = TerminalStyle()) {
    self.plan = plan
    self.style = style
  }

  /// The bound of a month, where it says anything.
  private var ofMonth: String {
    plan.falseAlarmRateOfMonth >= 1
      ? "; in a month of 30 nights one may"
      : ", and at least once in a month of 30 nights with a chance of at most "
        + RateText.percent(plan.falseAlarmRateOfMonth)
  }

  package func text() -> String {
    var page = TerminalPage(style: style)
    let power = RateText.bound(plan.gate.power)
    page.line(page.paint("Plan of gate \(SafeText.name(plan.gate.title))", .bold))
    page.paragraph(
      "On this much data, without any true change the gate fails in at most "
        + "\(RateText.percent(plan.falseAlarmRate)) of runs\(ofMonth). "
        + "The smallest true drop that each rule "
        + "catches with \(power) power:", lead: "")
    page.line()
    page.line(
      "  " + TextWidth.left("rule", 32) + TextWidth.right("persons", 9)
        + TextWidth.right("false alarms", 14) + TextWidth.right("catches", 12)
        + TextWidth.right("to pass", 10))
    for item in plan.items {
      let caught = item.smallestDropCaught.map { amount($0, item.unit) } ?? "–"
      // Cut short, rules of several variants or experiments would look alike.
      let isLong = TextWidth.of(item.title) > Self.titleColumns
      if isLong { page.paragraph(item.title, lead: "  ") }
      page.line(
        "  " + TextWidth.left(isLong ? "" : item.title, Self.titleColumns) + " "
          + TextWidth.right(NumberText.grouped(item.trials), 9)
          + TextWidth.right(RateText.percent(item.falseAlarmRate), 14)
          + TextWidth.right(caught, 12) + TextWidth.right(missing(item), 10))
    }
    for item in plan.items {
      guard let chance = item.chanceToProve else { continue }
      page.paragraph(
        "\(item.title): proven in \(RateText.percent(chance.ifNothingIsWorse)) of runs where "
          + "nothing is worse, and in \(RateText.percent(chance.atTheMargin)) where it is worse by "
          + "the margin. To pass it takes the people that prove it with \(power) power.")
    }
    for entry in plan.left {
      page.paragraph("\(entry.title): \(SafeText.name(entry.reason, limit: 400))", paint: .dim)
    }
    page.line()
    page.paragraph(
      "persons: those the rate is of. catches: points of a rate, or a longer time. to pass: how "
        + "many persons more it takes to show a drop of twice the margin; – where no number would "
        + "do, as the reference is too small.", lead: "")
    if !plan.replay.days.isEmpty || plan.replay.leftOut > 0 {
      page.heading("On past days it would have said")
      for line in plan.replay.lines() { page.line("  " + line) }
    }
    return page.text
  }

  private func amount(_ value: Double, _ unit: MetricRow.Unit) -> String {
    if unit == .seconds { return RateText.duration(value) }
    return RateText.column(value) + (unit == .ratio ? " %" : " pt")
  }

  private func missing(_ item: GatePlan.Item) -> String {
    guard let missing = item.missingPersons else { return "–" }
    return missing == 0 ? "enough" : "+" + NumberText.grouped(missing)
  }
}

/// What a gate can catch, for programs; `docs/check.schema.json` describes it.
package struct GatePlanJSON: Sendable {
  private let plan: GatePlan

  package init(_ plan: GatePlan) { self.plan = plan }

  package func text() -> String {
    JSONText.block(
      [
        ("schema", JSONText.string("firstmile.check-plan/1")),
        ("program_version", JSONText.string(plan.programVersion)),
        ("gate", JSONText.string(plan.gate.title)),
        ("flow", JSONText.string(plan.flow)),
        ("alpha", JSONText.number(plan.gate.alpha)),
        ("nights", JSONText.number(plan.gate.nights)),
        ("power", JSONText.number(plan.gate.power)),
        ("correction", JSONText.string(plan.gate.correction.rawValue)),
        ("false_alarm_rate", JSONText.number(plan.falseAlarmRate)),
        ("false_alarm_rate_of_month", JSONText.number(plan.falseAlarmRateOfMonth)),
        ("tests", JSONText.lines(plan.items.map(item), indent: "  ")),
        (
          "left",
          JSONText.lines(
            plan.left.map {
              JSONText.object([
                ("title", JSONText.string($0.title)), ("reason", JSONText.string($0.reason)),
              ])
            }, indent: "  ")
        ),
        ("replay", JSONText.lines(plan.replay.json(), indent: "  ")),
      ], indent: "") + "\n"
  }

  private func item(_ item: GatePlan.Item) -> String {
    JSONText.object([
      ("title", JSONText.string(item.title)), ("line", JSONText.number(item.rule.line)),
      ("trials", JSONText.number(item.trials)),
      ("reference_trials", JSONText.number(item.referenceTrials)),
      ("unit", JSONText.string(item.unit.rawValue)), ("alpha", JSONText.number(item.alpha)),
      ("false_alarm_rate", JSONText.number(item.falseAlarmRate)),
      ("smallest_drop_caught", JSONText.number(item.smallestDropCaught)),
      ("looked_for", JSONText.number(item.lookedFor)), ("power", JSONText.number(item.power)),
      ("chance_to_prove", JSONText.number(item.chanceToProve?.ifNothingIsWorse)),
      ("chance_to_prove_at_margin", JSONText.number(item.chanceToProve?.atTheMargin)),
      ("missing_persons", JSONText.number(item.missingPersons)),
      ("missing_days", JSONText.number(item.missingDays)),
    ])
  }
}
