internal import Yams

/// `primary` and `guardrails` of an experiment, which name metrics that are declared elsewhere.
struct PlanDraft {
  /// The index of the experiment.
  var experiment: Int
  var what: String
  var reader: MappingReader
}

extension FlowBuilder {
  /// Resolves what experiments are decided by, once all goals, permissions and retention measures
  /// are known.
  mutating func readPlans(_ drafts: [PlanDraft]) {
    for draft in drafts where flow.experiments.indices.contains(draft.experiment) {
      flow.experiments[draft.experiment].plan = plan(draft.reader, draft.what)
    }
  }

  private func plan(_ reader: MappingReader, _ what: String) -> ExperimentPlan? {
    guard let node = reader.node("primary") else {
      if reader.has("guardrails") {
        diagnostics.error(
          "the guardrails of \(what) need a 'primary' metric, which decides",
          at: reader.keyMark("guardrails"), found: "guardrails without primary",
          suggestion: "primary: completion")
      }
      return nil
    }
    guard let name = diagnostics.text(node, "'primary'"), let primary = rate(name, at: node.place)
    else { return nil }
    var plan = ExperimentPlan(primary: primary)
    guard let list = reader.node("guardrails"),
      let entries = MappingReader.entries(of: list, what: "'guardrails' of \(what)", diagnostics)
    else { return plan }
    for entry in entries {
      guard let margin = diagnostics.share(entry.node, "the margin of '\(entry.name)'"),
        let rate = rate(entry.name, at: entry.mark)
      else { continue }
      if rate == primary || plan.guardrails.contains(where: { $0.rate == rate }) {
        diagnostics.error(
          "'\(entry.name)' has a part in the plan of \(what) already", at: entry.mark,
          found: entry.name)
        continue
      }
      plan.guardrails.append(.init(rate: rate, margin: margin))
    }
    return plan
  }

  private func rate(_ name: String, at place: SourcePlace?) -> TestedRate? {
    let names = flow.planNames
    if let found = names.first(where: { $0.name == name }) { return found.rate }
    diagnostics.unknown("metric", name, at: place, allowed: names.map(\.name))
    return nil
  }
}
