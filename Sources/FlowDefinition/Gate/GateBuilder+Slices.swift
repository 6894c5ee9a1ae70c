internal import Yams

/// Which slices a rule is held in, and when it does not count.
extension GateBuilder {
  /// `for_each`: one name or a list of them.
  func forEach(_ reader: MappingReader, _ kind: MetricCatalog.StepKind) -> [String] {
    guard let node = reader.node("for_each") else { return [] }
    let nodes = node.sequence.map(Array.init) ?? [node]
    let steps = kind == .none ? [] : kind == .step ? ["step"] : [kind.rawValue, "step"]
    let allowed =
      steps + ["version", "variant"] + flow.dimensions.map(\.id) + ["used_skip", "outcome"]
    var found: [String] = []
    for node in nodes {
      guard let name = diagnostics.text(node, "'for_each'") else { continue }
      guard allowed.contains(name) else {
        diagnostics.unknown("value of 'for_each'", name, at: node.place, allowed: allowed)
        continue
      }
      let isStep = steps.contains(name)
      let taken = isStep ? steps.filter(reader.has) : [name].filter(reader.has)
      if let key = taken.first {
        diagnostics.error(
          "'for_each: \(name)' goes over all of them, but '\(key)' names one", at: node.place,
          found: name)
      }
      found.append(name)
    }
    let cuts = found.filter { !steps.contains($0) && $0 != "version" && $0 != "variant" }
    if cuts.count + (reader.has("breakdown") ? 1 : 0) > 1 {
      diagnostics.error("a slice is cut by one dimension only", at: node.place)
    }
    if found.contains("variant"), flow.experiments.isEmpty {
      diagnostics.error("the flow declares no experiment", at: node.place, found: "variant")
    }
    return found
  }

  /// `adjust`: a dimension at entry, alone or in a list.
  func adjustedFor(_ reader: MappingReader, _ rule: GateRule, _ metric: MetricName) -> [String] {
    guard let node = reader.node("adjust") else { return [] }
    let allowed = flow.dimensionsAtEntry.map { flow.dimensions[$0].id }
    let nodes = node.sequence.map(Array.init) ?? [node]
    let names = nodes.compactMap { diagnostics.text($0, "'adjust'") }
    for (node, name) in zip(nodes, names) where !allowed.contains(name) {
      diagnostics.unknown("dimension of 'adjust'", name, at: node.place, allowed: allowed)
    }
    if names.count != 1 {
      diagnostics.error(
        "'adjust' takes one dimension: people are cut by one at a time", at: node.place,
        allowed: allowed)
    }
    guard case .notWorse = rule.demand, MetricCatalog.isRate(metric) else {
      diagnostics.error(
        "'adjust' goes with 'not_worse_by' on a rate only", at: reader.keyMark("adjust"),
        found: "adjust")
      return []
    }
    let cuts = rule.forEach.filter { flow.dimensions.map(\.id).contains($0) || $0 == "outcome" }
    if reader.has("breakdown") || !cuts.isEmpty || rule.forEach.contains("used_skip") {
      diagnostics.error(
        "a rule that is adjusted for a dimension is not cut by one", at: reader.keyMark("adjust"),
        found: "adjust")
    }
    return names
  }

  /// `slow_decline`: days are counted for slices that no dimension cuts.
  func isSlowDecline(_ reader: MappingReader, _ rule: GateRule, _ metric: MetricName) -> Bool {
    guard reader.boolean("slow_decline") == true else { return false }
    func refuse(_ message: String) {
      diagnostics.error(message, at: reader.keyMark("slow_decline"), found: "slow_decline")
    }
    guard case .notWorse(.baseline, _) = rule.demand, MetricCatalog.isRate(metric) else {
      refuse("'slow_decline' goes with 'not_worse_by' on a rate against the baseline only")
      return false
    }
    for key in ["prove", "adjust", "breakdown"] where reader.has(key) {
      refuse("a rule with 'slow_decline' has no '\(key)'")
    }
    let places = ["step", "version", "variant", "goal", "permission", "friction", "funnel"]
    if rule.forEach.contains(where: { !places.contains($0) }) {
      refuse("'slow_decline' holds in slices that are counted by day: no dimension cuts them")
    }
    return true
  }

  /// A rule against the control has to say whose.
  func checkReference(_ reader: MappingReader, _ rule: GateRule) {
    guard case .notWorse(let reference, _) = rule.demand else { return }
    if case .metric(let metric) = rule.subject, !Self.isComparable(metric) {
      diagnostics.error(
        "'not_worse_by' compares rates and quantiles of durations; '\(metric)' is neither",
        at: reader.keyMark("not_worse_by"), found: metric.rawValue)
    } else if case .metric(let metric) = rule.subject, MetricCatalog.isDuration(metric),
      rule.better == .higher
    {
      diagnostics.error(
        "'not_worse_by' holds a time against taking longer; bound one from below with 'at_least'",
        at: reader.keyMark("better"), found: "higher", allowed: ["lower"])
    }
    guard reference == .control else { return }
    let variant = rule.slice.first { $0.from == "variant" }?.to
    if variant == nil, !rule.forEach.contains("variant") {
      diagnostics.error(
        "a rule against the control needs 'variant', or 'for_each: variant'",
        at: reader.keyMark("against"), found: "control")
    }
    let id = rule.slice.first { $0.from == "experiment" }?.to
    let experiment = flow.experiments.first { id == nil || $0.id == id }
    if let variant, let experiment, experiment.controlID == variant {
      diagnostics.error(
        "'\(variant)' is the control itself", at: reader.keyMark("variant"), found: variant)
    }
  }

  private static func isComparable(_ metric: MetricName) -> Bool {
    MetricCatalog.isRate(metric) || MetricCatalog.isDuration(metric)
  }

  func suppression(_ reader: MappingReader) -> GateRule.Suppression? {
    guard let node = reader.node("suppress"),
      let inner = MappingReader(
        node, what: "'suppress'", allowed: ["reason", "until"], diagnostics),
      let reasonNode = inner.required("reason", in: "'suppress'"),
      let untilNode = inner.required("until", in: "'suppress'"),
      let reason = diagnostics.name(reasonNode, "'reason'"),
      let until = diagnostics.text(untilNode, "'until'")
    else { return nil }
    guard let date = CivilDate(until) else {
      diagnostics.error(
        "'until' must be a day, found '\(until)'", at: untilNode.place, found: until,
        allowed: ["2026-12-31"])
      return nil
    }
    return GateRule.Suppression(reason: reason, year: date.year, month: date.month, day: date.day)
  }
}
