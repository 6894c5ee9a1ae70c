internal import FlowDefinition
internal import FunnelMetrics
internal import ReportText

/// The gate for programs; `docs/check.schema.json` describes it.
package struct GateJSON: Sendable {
  private let result: GateResult

  package init(_ result: GateResult) { self.result = result }

  package func text() -> String {
    JSONText.block(
      [
        ("schema", JSONText.string("firstmile.check/1")),
        ("program_version", JSONText.string(result.programVersion)),
        ("gate", JSONText.string(result.gate.title)),
        ("flow", JSONText.string(result.flow)),
        ("fingerprint", JSONText.string(result.fingerprint)),
        ("horizon", JSONText.string(result.horizonMilliseconds.map(InstantText.format))),
        ("baseline", baseline),
        ("began", began(result.judged)),
        ("verdict", JSONText.string(result.verdict.rawValue)),
        ("exit_code", JSONText.number(Int(result.exitCode))),
        ("alpha", JSONText.number(result.gate.alpha)),
        ("nights", JSONText.number(result.gate.nights)),
        ("power", JSONText.number(result.gate.power)),
        ("correction", JSONText.string(result.gate.correction.rawValue)),
        ("tests", JSONText.number(result.familySize)),
        ("slow_declines", JSONText.number(result.declines)),
        ("checks", JSONText.lines(result.checks.map(check), indent: "  ")),
        ("data", JSONText.lines(result.data.map(data), indent: "  ")),
        ("remarks", JSONText.array(result.remarks.map { JSONText.string($0) })),
        (
          "commands",
          JSONText.object(result.commands.map { ($0.purpose.rawValue, JSONText.string($0.text)) })
        ),
      ], indent: "") + "\n"
  }

  private var baseline: String {
    guard let name = result.baselineName else { return "null" }
    return JSONText.object([
      ("name", JSONText.string(name)),
      ("horizon", JSONText.string(result.baselineHorizonMilliseconds.map(InstantText.format))),
      ("began", began(result.baselineBegan)),
    ])
  }

  private func began(_ days: DaySpan?) -> String {
    guard let days else { return "null" }
    return JSONText.object([
      ("first", JSONText.string(DaySpan.text(days.first))),
      ("last", JSONText.string(DaySpan.text(days.last))),
    ])
  }

  private func check(_ check: GateCheck) -> String {
    let words = GateWords(check)
    var members: [(String, String)] = [
      ("title", JSONText.string(check.title)), ("verdict", JSONText.string(check.verdict.rawValue)),
      ("severity", JSONText.string(result.severity(check).rawValue)),
      ("level", JSONText.string(check.rule.level.rawValue)),
    ]
    if !check.rule.id.isEmpty { members.append(("id", JSONText.string(check.rule.id))) }
    if check.rule.line > 0 {
      members += [
        ("file", JSONText.string(result.gate.file)), ("line", JSONText.number(check.rule.line)),
      ]
    }
    members += [("metric", JSONText.string(check.metric.rawValue))] + slice(check)
    members += [
      ("demand", JSONText.string(words.demand)),
      ("current", check.current.map(side) ?? "null"),
    ]
    if let reference = check.reference {
      members += [
        ("reference_name", JSONText.string(check.referenceName)), ("reference", side(reference)),
      ]
    }
    members += numbers(check)
    if let judged = check.judged { members.append(("began", began(judged))) }
    if let reference = check.referenceBegan {
      members.append(("reference_began", began(reference)))
    }
    if let decline = check.decline { members.append(("decline", self.decline(decline))) }
    if let days = check.days { members.append(("days", self.days(days))) }
    if !words.reason.isEmpty { members.append(("reason", JSONText.string(words.reason))) }
    if let suppression = check.suppression {
      members.append(
        (
          "suppressed",
          JSONText.object([
            ("reason", JSONText.string(suppression.reason)),
            ("until", JSONText.string(DataConditions.text(suppression))),
          ])
        ))
    }
    if !check.explanations.isEmpty {
      members.append(("contributions", JSONText.array(check.explanations.map(contribution))))
    }
    if check.isAlikeEverywhere { members.append(("alike_everywhere", "true")) }
    if let broke = check.broke { members.append(("broke", self.broke(broke))) }
    if !check.standardised.isEmpty {
      members.append(("standardised", JSONText.array(check.standardised.map(standardised))))
    }
    if !check.examples.isEmpty {
      members.append(("examples", JSONText.array(check.examples.map { JSONText.string($0) })))
    }
    return JSONText.object(members)
  }

  private func slice(_ check: GateCheck) -> [(String, String)] {
    [
      ("step", check.step), ("version", check.slice.version),
      ("experiment", check.slice.experiment), ("variant", check.slice.variant),
      ("breakdown", check.slice.breakdownText),
    ].filter { $0.1 != "all" }.map { ($0.0, JSONText.string($0.1)) }
  }

  private func numbers(_ check: GateCheck) -> [(String, String)] {
    let values: [(String, Double?)] = [
      ("margin", check.margin), ("estimate", check.estimate), ("ci_low", check.low),
      ("ci_high", check.high), ("ci_level", check.alpha.map { 1 - 2 * $0 }), ("p", check.p),
      ("p_adjusted", check.adjustedP), ("power", check.power),
    ]
    let counts = [
      ("missing_persons", check.missingPersons), ("missing_days", check.missingDays),
    ]
    return values.filter { $0.1 != nil }.map { ($0.0, JSONText.number($0.1)) }
      + counts.filter { $0.1 != nil }.map { ($0.0, JSONText.number($0.1)) }
  }

  private func broke(_ broke: BreakFinding) -> String {
    JSONText.object([
      ("day", JSONText.string(DaySpan.text(broke.day))),
      ("earliest", JSONText.string(DaySpan.text(broke.earliest))),
      ("latest", JSONText.string(DaySpan.text(broke.latest))),
      ("level", JSONText.number(broke.level)), ("difference", JSONText.number(broke.difference)),
      ("since", began(broke.since)), ("before", began(broke.before)),
      ("culprits", JSONText.array(broke.culprits.map(contribution))),
      ("alike_everywhere", broke.isAlikeEverywhere ? "true" : "false"),
    ])
  }

  private func decline(_ decline: DeclineFinding) -> String {
    JSONText.object([
      ("nights", JSONText.number(decline.nights)),
      ("evidence", JSONText.number(decline.evidence)),
      ("first_day", JSONText.string(decline.firstDay.map(DaySpan.text))),
      ("shown_on", JSONText.string(decline.shownOn.map(DaySpan.text))),
      ("began", began(decline.decisive?.days)),
      ("reference_began", began(decline.decisive?.before)),
    ])
  }

  private func days(_ days: DayToDay) -> String {
    JSONText.object([
      ("known", JSONText.number(days.days)), ("deviation", JSONText.number(days.deviation)),
      ("neighbour_correlation", JSONText.number(days.neighbourCorrelation)),
      ("reference_on_same_weekdays", JSONText.number(days.referenceOnSameWeekdays)),
    ])
  }

  private func side(_ row: MetricRow) -> String {
    let counts = [("numerator", row.numerator), ("denominator", row.denominator)]
      .filter { $0.1 != nil }.map { ($0.0, JSONText.number($0.1)) }
    return JSONText.object(
      counts + [
        ("value", JSONText.number(row.value)), ("unit", JSONText.string(row.unit.rawValue)),
      ])
  }

  private func contribution(_ part: DropContribution) -> String {
    JSONText.object([
      ("kind", JSONText.string(part.kind.rawValue)), ("name", JSONText.string(part.name)),
      ("points", JSONText.number(part.points)), ("before", JSONText.number(part.before)),
      ("now", JSONText.number(part.now)),
      ("share_of_people", JSONText.number(part.shareOfPeople)),
      ("share_of_change", JSONText.number(part.shareOfChange)),
      ("p_adjusted", JSONText.number(part.adjustedP)),
    ])
  }

  private func standardised(_ change: StandardisedChange) -> String {
    JSONText.object([
      ("dimension", JSONText.string(change.dimension)), ("points", JSONText.number(change.points)),
      ("crude", JSONText.number(change.crude)), ("p", JSONText.number(change.p)),
    ])
  }

  private func data(_ check: DataCheck) -> String {
    var members: [(String, String)] = [
      ("quality", JSONText.string(check.measure.rawValue)),
      ("verdict", JSONText.string(check.isMet ? "pass" : "invalid")),
      ("counts", check.isMet || check.isBroken ? "true" : "false"),
    ]
    if let experiment = check.experiment {
      members.append(("experiment", JSONText.string(experiment)))
    }
    if let rule = check.rule { members.append(("line", JSONText.number(rule.line))) }
    members += [("value", JSONText.number(check.value)), ("bound", JSONText.number(check.bound))]
    if let numerator = check.numerator, let denominator = check.denominator {
      members += [
        ("numerator", JSONText.number(numerator)), ("denominator", JSONText.number(denominator)),
      ]
    }
    if !check.inputs.isEmpty {
      members.append(("inputs", JSONText.array(check.inputs.map { JSONText.string($0) })))
    }
    return JSONText.object(members)
  }
}
