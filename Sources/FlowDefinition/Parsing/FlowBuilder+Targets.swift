internal import Yams

/// `targets:`: bounds on metrics, checked against what the flow declares.
extension FlowBuilder {
  mutating func readTargets(_ file: MappingReader) {
    let keys = [
      "metric", "step", "goal", "permission", "friction", "funnel", "at_least", "at_most",
      "version", "experiment", "variant", "breakdown",
    ]
    let catalog = MetricCatalog(flow)
    for node in file.list("targets") ?? [] {
      guard let reader = MappingReader(node, what: "a target", allowed: keys, diagnostics),
        let metricNode = reader.required("metric", in: "a target"),
        let metric = diagnostics.text(metricNode, "'metric'")
      else { continue }
      guard let kind = catalog.kind(of: metric) else {
        diagnostics.error(
          "unknown metric '\(metric)'", at: metricNode.place, found: metric,
          allowed: catalog.metrics.map(\.name), suggestion: catalog.suggestion(for: metric))
        continue
      }
      let step = targetStep(reader, metric, kind)
      let slice = targetSlice(reader)
      if let bound = targetBound(reader, metric) {
        flow.targets.append(
          Target(metric: metric, step: step ?? "", slice: slice, bound: bound))
      }
    }
  }

  /// The value of the metric's `step` column, under the key `step` or the kind's own name.
  /// A rule of a gate names its step in the same way; `what` is the word for messages.
  func targetStep(
    _ reader: MappingReader, _ metric: String, _ kind: MetricCatalog.StepKind,
    what: String = "a target"
  ) -> String? {
    let names = ["step", "goal", "permission", "friction", "funnel"]
    let given = names.filter(reader.has)
    let fitting = kind == .none ? [] : kind == .step ? ["step"] : [kind.rawValue, "step"]
    for name in given where !fitting.contains(name) {
      diagnostics.error(
        "metric '\(metric)' has no '\(name)'", at: reader.keyMark(name), found: name,
        allowed: fitting)
    }
    guard let key = fitting.first(where: reader.has) else {
      if let key = fitting.first, given.isEmpty {
        diagnostics.error(
          "\(what) for '\(metric)' needs the key '\(key)'", at: reader.mark, found: "nothing")
      }
      return nil
    }
    guard let node = reader.node(key), let name = diagnostics.text(node, "'\(key)'") else {
      return nil
    }
    let allowed = declaredNames(kind)
    // A goal's row may be one of its values, a funnel's is one of its steps.
    let bare = String(name.prefix { $0 != ":" })
    let isKnown =
      switch kind {
      case .goal: allowed.contains(bare)
      case .step: allowed.contains(name) || name == "(entry)" || name == "(unknown)"
      default: allowed.contains(name)
      }
    if !isKnown { diagnostics.unknown(kind.rawValue, name, at: node.place, allowed: allowed) }
    return name
  }

  private func declaredNames(_ kind: MetricCatalog.StepKind) -> [String] {
    switch kind {
    case .none: []
    case .step: flow.steps.map(\.id)
    case .permission: flow.permissions
    case .goal: goalIDs
    case .friction: flow.friction.map(\.id)
    case .funnel:
      flow.funnels.flatMap { funnel in funnel.steps.indices.map { "\(funnel.id):\($0 + 1)" } }
    }
  }

  private func targetBound(_ reader: MappingReader, _ metric: String) -> Target.Bound? {
    guard reader.hasOne(of: ["at_least", "at_most"], in: "a target") else { return nil }
    let key = reader.has("at_least") ? "at_least" : "at_most"
    guard let node = reader.node(key), let text = diagnostics.text(node, "'\(key)'"),
      let value = diagnostics.bound(text, key, of: metric, at: node.place)
    else { return nil }
    return key == "at_least" ? .atLeast(value) : .atMost(value)
  }

  /// The slice of a target, or of a rule of a gate.
  func targetSlice(_ reader: MappingReader, what: String = "a target") -> [NameMapping] {
    var slice: [NameMapping] = []
    if let node = reader.node("version"), let name = diagnostics.text(node, "'version'") {
      let known = flow.versions.map(\.name) + (flow.newestVersion.map { [$0] } ?? [])
      if !known.contains(name) {
        diagnostics.unknown("version", name, at: node.place, allowed: known)
      }
      slice.append(NameMapping(from: "version", to: name))
    }
    slice += experimentSlice(reader, what)
    if let node = reader.node("breakdown"), let text = diagnostics.text(node, "'breakdown'") {
      let known = flow.dimensions.map(\.id) + ["used_skip", "outcome"]
      let dimension = String(text.prefix { $0 != "=" })
      if !text.contains("=") {
        diagnostics.error(
          "'breakdown' must be dimension=value, found '\(text)'", at: node.place, found: text)
      } else if !known.contains(dimension) {
        diagnostics.unknown("dimension", dimension, at: node.place, allowed: known)
      }
      slice.append(NameMapping(from: "breakdown", to: text))
    }
    return slice
  }

  /// `experiment` may be left out where the flow has only one.
  private func experimentSlice(_ reader: MappingReader, _ what: String) -> [NameMapping] {
    var experiment = flow.experiments.count == 1 ? flow.experiments.first : nil
    var slice: [NameMapping] = []
    if let node = reader.node("experiment"), let id = diagnostics.text(node, "'experiment'") {
      experiment = flow.experiments.first { $0.id == id }
      if experiment == nil {
        diagnostics.unknown(
          "experiment", id, at: node.place, allowed: flow.experiments.map(\.id))
        return []
      }
      slice.append(NameMapping(from: "experiment", to: id))
    }
    guard let node = reader.node("variant"), let id = diagnostics.text(node, "'variant'") else {
      return slice
    }
    guard let experiment else {
      diagnostics.error(
        "\(what) for variant '\(id)' needs the key 'experiment'", at: node.place, found: id,
        allowed: flow.experiments.map(\.id))
      return slice
    }
    let known = experiment.variants.map(\.id)
    if !known.contains(id) { diagnostics.unknown("variant", id, at: node.place, allowed: known) }
    if slice.isEmpty { slice.append(NameMapping(from: "experiment", to: experiment.id)) }
    return slice + [NameMapping(from: "variant", to: id)]
  }
}
