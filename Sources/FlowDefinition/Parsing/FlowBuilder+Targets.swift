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
        let name = diagnostics.text(metricNode, "'metric'")
      else { continue }
      let metric = MetricName(rawValue: name)
      guard let kind = names.catalog.kind(of: metric) else {
        diagnostics.error(
          "unknown metric '\(metric)'", at: metricNode.place, found: name,
          allowed: names.catalog.metrics.map(\.name.rawValue),
          suggestion: names.catalog.suggestion(for: metric)?.rawValue)
        continue
      }
      let step = names.step(reader, metric, kind)
      let slice = names.slice(reader)
      names.checkPlace(reader, metric, step: step ?? "", slice: slice)
      if let bound = targetBound(reader, metric) {
        warnOfBoundBeyondLongestTime(reader, metric, step ?? "", bound)
        flow.targets.append(
          Target(metric: metric, step: step ?? "", slice: slice, bound: bound))
      }
    }
  }

  /// Times are only of people who got there in time, so a bound that is no shorter decides nothing.
  private func warnOfBoundBeyondLongestTime(
    _ reader: MappingReader, _ metric: MetricName, _ step: String, _ bound: Target.Bound
  ) {
    guard let quantile = MetricCatalog.quantile(of: metric) else { return }
    let (seconds, key, verdict) =
      switch bound {
      case .atMost(let seconds): (seconds, "at_most", "missed")
      case .atLeast(let seconds): (seconds, "at_least", "met")
      }
    let goal = flow.goals.first { $0.id == step }
    let longest =
      switch quantile.measure {
      case .timeToComplete: flow.windowMilliseconds
      case .timeToGoal: goal?.withinMilliseconds ?? .max
      default: Int64.max
      }
    let milliseconds = seconds * 1000
    guard milliseconds > Double(longest) || (key == "at_most" && milliseconds == Double(longest))
    else { return }
    let window = DurationText.format(longest)
    let what = goal.map { "goal '\($0.id)' is counted" } ?? "the flow is finished"
    diagnostics.warning(
      "\(what) within \(window), so no time is longer, and this target can't be \(verdict); set a "
        + "target on the rate, or measure the time of a goal with a longer 'within'",
      at: reader.keyMark(key))
  }

  private func targetBound(_ reader: MappingReader, _ metric: MetricName) -> Target.Bound? {
    guard reader.hasOne(of: ["at_least", "at_most"], in: "a target") else { return nil }
    let key = reader.has("at_least") ? "at_least" : "at_most"
    guard let node = reader.node(key), let text = diagnostics.text(node, "'\(key)'"),
      let value = diagnostics.bound(text, key, of: metric, at: node.place)
    else { return nil }
    return key == "at_least" ? .atLeast(value) : .atMost(value)
  }
}
