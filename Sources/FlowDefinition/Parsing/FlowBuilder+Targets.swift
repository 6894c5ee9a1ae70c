internal import Yams

/// `targets:`: bounds on metrics, checked against what the flow declares.
extension FlowBuilder {
  mutating func readTargets(_ file: MappingReader) {
    let keys = [
      "metric", "step", "goal", "permission", "friction", "funnel", "at_least", "at_most",
      "version", "experiment", "variant", "breakdown",
    ]
    let nodes = file.list("targets") ?? []
    if nodes.isEmpty { return }
    let names = SliceReader(flow, diagnostics)
    for node in nodes {
      guard let reader = MappingReader(node, what: "a target", allowed: keys, diagnostics),
        let metricNode = reader.required("metric", in: "a target"),
        let metric = diagnostics.text(metricNode, "'metric'")
      else { continue }
      guard let kind = names.catalog.kind(of: metric) else {
        diagnostics.error(
          "unknown metric '\(metric)'", at: metricNode.place, found: metric,
          allowed: names.catalog.metrics.map(\.name),
          suggestion: names.catalog.suggestion(for: metric))
        continue
      }
      let step = names.step(reader, metric, kind)
      let slice = names.slice(reader)
      names.checkPlace(reader, metric, step: step ?? "", slice: slice)
      if let bound = targetBound(reader, metric) {
        warnOfLongestTime(reader, metric, step ?? "", bound)
        flow.targets.append(
          Target(metric: metric, step: step ?? "", slice: slice, bound: bound))
      }
    }
  }

  /// Times are only of people who got there in time: a bound that is no shorter can't be missed.
  private func warnOfLongestTime(
    _ reader: MappingReader, _ metric: String, _ step: String, _ bound: Target.Bound
  ) {
    guard case .atMost(let seconds) = bound, let quantile = MetricCatalog.quantile(of: metric)
    else { return }
    let goal = flow.goals.first { $0.id == step }
    let longest =
      switch quantile.measure {
      case "time_to_complete": flow.windowMilliseconds
      case "time_to_goal": goal?.withinMilliseconds ?? .max
      default: Int64.max
      }
    guard seconds * 1000 >= Double(longest) else { return }
    let window = DurationText.format(longest)
    let what = goal.map { "goal '\($0.id)' is counted" } ?? "the flow is finished"
    diagnostics.warning(
      "\(what) within \(window), so no time is longer, and this target can't be missed; set a "
        + "target on the rate, or measure the time of a goal with a longer 'within'",
      at: reader.keyMark("at_most"))
  }

  private func targetBound(_ reader: MappingReader, _ metric: String) -> Target.Bound? {
    guard reader.hasOne(of: ["at_least", "at_most"], in: "a target") else { return nil }
    let key = reader.has("at_least") ? "at_least" : "at_most"
    guard let node = reader.node(key), let text = diagnostics.text(node, "'\(key)'"),
      let value = diagnostics.bound(text, key, of: metric, at: node.place)
    else { return nil }
    return key == "at_least" ? .atLeast(value) : .atMost(value)
  }
}
