import FlowDefinition

/// The rows that every slice has, whatever happened in it.
struct DeclaredCells {
  typealias Cell = ReferencePerson.Cell
  typealias Share = ReferencePerson.Share

  let flow: Flow

  /// A zero for each.
  var zeros: [Cell: Share] {
    var zeros: [Cell: Share] = [:]
    for metric in [
      "entered", "persons", "immature", "finished", "finished_after_skipping", "skipped",
      "abandoned", "resumed", "replayed", "completed_late",
    ] {
      zeros[Cell(metric: metric, step: "all")] = Share(numerator: 0)
    }
    for cell in rates { zeros[cell] = Share(numerator: 0, denominator: 0) }
    return zeros
  }

  private var rates: [Cell] {
    var metrics = ["completion_rate", "abandon_rate", "used_skip_rate", "resumed_in_place"]
    if flow.skip == .ends { metrics.append("skip_rate") }
    metrics += flow.retention.map { "retention_" + $0.id }
    let plain = flow.retention.filter { $0.anchor == .entry && $0.pattern == nil }
    if plain.count > 1 { metrics += plain.map { "retention_\($0.id)_common" } }
    metrics += flow.retention.filter { !flow.isRandomised($0) }.map { "retention_\($0.id)_overall" }
    var cells = metrics.map { Cell(metric: $0, step: "all") }
    let drops = [
      "step_drop_off", "step_left_skipping", "step_abandoned", "step_abandoned_after_denial",
    ]
    for step in flow.steps {
      let perStep =
        drops + [
          "step_reach", "step_bypassed", "step_conversion", "step_completion", "step_went_back",
          "step_declined",
          "skip_share",
        ] + (step.branchOf == nil ? [] : ["branch_taken"])
      cells += perStep.map { Cell(metric: $0, step: step.id) }
    }
    cells += drops.map { Cell(metric: $0, step: "(entry)") }
    cells.append(Cell(metric: "skip_share", step: "(unknown)"))
    for permission in flow.permissions {
      cells += ["opt_in", "acceptance", "reach", "recovered", "left_after_denial"].map {
        Cell(metric: "permission_" + $0, step: permission)
      }
    }
    cells += flow.goals.map { Cell(metric: "goal_rate", step: $0.id) }
    cells += flow.goals.filter { $0.value != nil }.map {
      Cell(metric: "goal_value_total", step: $0.id)
    }
    cells += flow.goals.filter(\.countsAmountPerEvent).map {
      Cell(metric: "goal_value_per_event", step: $0.id)
    }
    cells += flow.goals.filter { !flow.isRandomised($0) }.map {
      Cell(metric: "goal_rate_overall", step: $0.id)
    }
    cells += flow.friction.map { Cell(metric: "friction_rate", step: $0.id) }
    for funnel in flow.funnels {
      cells += funnel.steps.indices.map {
        Cell(metric: "funnel_step", step: "\(funnel.id):\($0 + 1)")
      }
    }
    return cells
  }

  /// What is timed in every slice.
  var timed: [Cell] {
    ["time_on_step", "time_to_move_on"].flatMap { metric in
      flow.steps.map { Cell(metric: metric, step: $0.id) }
    }
      + [Cell(metric: "time_to_complete", step: "all")]
      + flow.goals.map { Cell(metric: "time_to_goal", step: $0.id) }
  }
}
