internal import Yams

/// `primary`, `guardrails`, `planned`, `stratify` and `cluster` of an experiment, which depend on
/// metrics, dimensions and goals that are declared elsewhere.
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
      flow.experiments[draft.experiment].stratifiedBy = stratification(draft.reader)
      flow.experiments[draft.experiment].clusterPath = clusterPath(draft.reader, draft.what)
      flow.experiments[draft.experiment].plannedPeople = plannedPeople(
        draft.reader, flow.experiments[draft.experiment], draft.what)
    }
  }

  /// `planned`: the size at which an experiment that is looked at every day is decided.
  private func plannedPeople(
    _ reader: MappingReader, _ experiment: Experiment, _ what: String
  ) -> Int? {
    guard let node = reader.node("planned"),
      let people = diagnostics.wholeNumber(node, "'planned'", in: 100...1_000_000_000)
    else { return nil }
    let place = reader.keyMark("planned")
    if !experiment.isSequential {
      diagnostics.error(
        "the planned size of \(what) is where looks every day end: it needs 'sequential'",
        at: place, found: "planned without sequential", suggestion: "sequential: true")
    } else if !reader.has("primary") {
      diagnostics.error(
        "the planned size of \(what) needs a 'primary' metric, which decides", at: place,
        found: "planned without primary", suggestion: "primary: completion")
    } else if reader.has("stratify") {
      diagnostics.error(
        "\(what) has a planned size and 'stratify': people are cut by one at a time", at: place,
        found: "planned and stratify")
    }
    return people
  }

  /// `stratify`: a dimension at entry, or several in a list, in the order of the flow's dimensions.
  private func stratification(_ reader: MappingReader) -> [String] {
    guard let node = reader.node("stratify") else { return [] }
    let nodes = node.sequence.map(Array.init) ?? [node]
    let allowed = flow.dimensionsAtEntry.map { flow.dimensions[$0].id }
    var names: Set<String> = []
    for node in nodes {
      guard let name = diagnostics.text(node, "'stratify'") else { return [] }
      guard allowed.contains(name) else {
        diagnostics.unknown("dimension of 'stratify'", name, at: node.place, allowed: allowed)
        return []
      }
      names.insert(name)
    }
    guard names.count == nodes.count, (1...Experiment.mostStrataDimensions).contains(names.count)
    else {
      diagnostics.error(
        "'stratify' takes one dimension or two different ones", at: node.place, allowed: allowed)
      return []
    }
    return allowed.filter(names.contains)
  }

  /// `cluster`: the path of the account; without a dot it is in the context, as of a dimension.
  private func clusterPath(_ reader: MappingReader, _ what: String) -> String? {
    guard let node = reader.node("cluster"), let given = diagnostics.path(node, "'cluster'")
    else { return nil }
    let path = given.contains(".") ? given : "context.\(given)"
    func refuse(_ message: String, _ found: String) {
      diagnostics.error(message, at: reader.keyMark("cluster"), found: found)
    }
    for key in ["stratify", "planned"] where reader.has(key) {
      refuse("\(what) is compared by accounts, which leaves no room for '\(key)'", key)
    }
    if let goal = flow.goals.first(where: { $0.winsorisedAt != nil || $0.countsAmountPerEvent }) {
      refuse(
        "\(what) is compared by accounts, of which 'winsorise' and 'per_event' of goal "
          + "'\(goal.id)' know nothing", goal.id)
    }
    return path
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
