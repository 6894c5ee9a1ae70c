internal import Yams

/// `rules:` of a gate file.
extension GateBuilder {
  private static let ruleKeys = [
    "id", "metric", "quality", "step", "goal", "permission", "friction", "funnel", "version",
    "experiment", "variant", "breakdown", "for_each", "min_persons", "at_least", "at_most",
    "not_worse_by", "against", "prove", "adjust", "margin", "better", "level", "on_inconclusive",
    "suppress", "slow_decline",
  ]
  private static let demands = ["at_least", "at_most", "not_worse_by"]

  mutating func readRule(_ node: Node) {
    guard
      let reader = MappingReader(node, what: "a rule", allowed: Self.ruleKeys, diagnostics),
      reader.hasOne(of: ["metric", "quality"], in: "a rule"),
      reader.hasOne(of: Self.demands, in: "a rule")
    else { return }
    guard var rule = reader.has("metric") ? metricRule(reader) : qualityRule(reader) else { return }
    rule.line = reader.mark?.line ?? 0
    rule.column = reader.mark?.column ?? 0
    rule.level = reader.choice("level", GateRule.Level.self) ?? .error
    rule.onInconclusive = reader.choice("on_inconclusive", GateRule.OnInconclusive.self)
    // A proof that is not there must not let a run pass.
    if rule.isProof, rule.onInconclusive == nil { rule.onInconclusive = .fail }
    rule.suppression = suppression(reader)
    if let id = reader.text("id") {
      rule.id = id
      if let line = lineOfRule[id] {
        diagnostics.error(
          "two rules have the id '\(id)', the first in line \(line)",
          at: reader.keyMark("id"), found: id)
      } else {
        lineOfRule[id] = rule.line
      }
    }
    gate.rules.append(rule)
  }

  private func metricRule(_ reader: MappingReader) -> GateRule? {
    guard let node = reader.node("metric"), let name = diagnostics.text(node, "'metric'") else {
      return nil
    }
    let metric = MetricName(rawValue: name)
    let catalog = names.catalog
    guard let kind = catalog.kind(of: metric) else {
      diagnostics.error(
        "unknown metric '\(metric)'", at: node.place, found: name,
        allowed: catalog.metrics.map(\.name.rawValue),
        suggestion: catalog.suggestion(for: metric)?.rawValue)
      return nil
    }
    if MetricCatalog.unit(of: metric) == .amount {
      diagnostics.error(
        "a gate can't hold '\(metric)': amounts vary too much from day to day for a plain bound; "
          + "hold the goal's rate, or set a target in the flow file", at: node.place,
        found: name, allowed: [MetricName.goalRate.rawValue])
      return nil
    }
    let forEach = forEach(reader, kind)
    let namesStep = forEach.contains { $0 == "step" || $0 == kind.rawValue }
    let step = namesStep ? "" : names.step(reader, metric, kind, what: "a rule") ?? ""
    guard let demand = demand(reader, metric) else { return nil }
    var rule = GateRule(
      .metric(metric), step: step, demand: demand,
      margin: MetricCatalog.defaultMargin(metric, demand))
    rule.slice = names.slice(reader, what: "a rule")
    rule.forEach = forEach
    rule.better =
      reader.choice("better", GateRule.Direction.self) ?? MetricCatalog.betterDirection(metric)
    refuseWithout(reader, "margin", ["at_least", "at_most"])
    refuseWithout(reader, "min_persons", ["for_each"])
    rule.margin = margin(reader, "margin", metric) ?? rule.margin
    rule.isProof = isProof(reader)
    rule.isSlowDecline = isSlowDecline(reader, rule, metric)
    rule.adjustedFor = adjustedFor(reader, rule, metric)
    if let node = reader.node("min_persons") {
      rule.minimumPersons =
        diagnostics.wholeNumber(node, "'min_persons'", in: 0...1_000_000_000) ?? 0
    }
    checkReference(reader, rule)
    names.checkPlace(
      reader, metric, step: step, slice: rule.slice, forEach: forEach,
      isAgainstControl: rule.isAgainstControl)
    return rule
  }

  /// A key that means nothing without one of some others.
  private func refuseWithout(_ reader: MappingReader, _ key: String, _ others: [String]) {
    guard reader.has(key), !others.contains(where: reader.has) else { return }
    let named = others.map { "'\($0)'" }.joined(separator: " and ")
    diagnostics.error("'\(key)' goes with \(named) only", at: reader.keyMark(key), found: key)
  }

  private func qualityRule(_ reader: MappingReader) -> GateRule? {
    guard let measure = reader.choice("quality", QualityMeasure.self) else { return nil }
    let key = measure == .sampleRatio ? "at_least" : "at_most"
    let odd = [
      "step", "goal", "permission", "friction", "funnel", "version", "experiment", "variant",
      "breakdown", "for_each", "min_persons", "not_worse_by", "against", "prove", "adjust",
      "slow_decline", "margin", "better", measure == .sampleRatio ? "at_most" : "at_least",
    ]
    for name in odd where reader.has(name) {
      diagnostics.error(
        "a rule on the quality '\(measure.rawValue)' has no '\(name)'",
        at: reader.keyMark(name), found: name, allowed: [key])
    }
    guard reader.has(key), let value = diagnostics.percentage(reader, key, 0...1) else {
      return nil
    }
    return GateRule(
      .quality(measure), demand: key == "at_least" ? .atLeast(value) : .atMost(value),
      margin: GateRule.Margin(0))
  }

  private func demand(_ reader: MappingReader, _ metric: MetricName) -> GateRule.Demand? {
    if reader.has("not_worse_by") {
      guard let margin = margin(reader, "not_worse_by", metric) else { return nil }
      let reference = reader.choice("against", GateRule.Reference.self) ?? .baseline
      return .notWorse(than: reference, by: margin)
    }
    if reader.has("against") {
      diagnostics.error(
        "'against' goes with 'not_worse_by' only", at: reader.keyMark("against"), found: "against")
    }
    let key = reader.has("at_least") ? "at_least" : "at_most"
    guard let node = reader.node(key), let value = bound(node, key, metric) else { return nil }
    return key == "at_least" ? .atLeast(value) : .atMost(value)
  }

  private func isProof(_ reader: MappingReader) -> Bool {
    guard let isProof = reader.boolean("prove") else { return false }
    if !reader.has("not_worse_by") {
      diagnostics.error(
        "'prove' goes with 'not_worse_by' only", at: reader.keyMark("prove"), found: "prove")
    }
    return isProof
  }

  private func bound(_ node: Node, _ key: String, _ metric: MetricName) -> Double? {
    guard let text = diagnostics.text(node, "'\(key)'") else { return nil }
    return diagnostics.bound(text, key, of: metric, at: node.place)
  }

  /// `2%` and `2 points` are points of a rate; `5% relative` is a share of the other number; for
  /// durations `10s`.
  private func margin(
    _ reader: MappingReader, _ key: String, _ metric: MetricName
  ) -> GateRule.Margin? {
    guard let node = reader.node(key), let text = diagnostics.text(node, "'\(key)'") else {
      return nil
    }
    let found = Self.margin(text, isDuration: MetricCatalog.isInSeconds(metric))
    let allowed =
      MetricCatalog.isInSeconds(metric)
      ? ["10s", "10% relative"] : ["2%", "2 points", "5% relative"]
    guard let found else {
      diagnostics.error(
        "'\(key)' must be a margin, found '\(text)'", at: node.place, found: text, allowed: allowed)
      return nil
    }
    guard found.amount > 0, found.amount < 1 || MetricCatalog.isInSeconds(metric) else {
      diagnostics.error(
        "'\(key)' must be above 0 and under 100 %, found '\(text)'", at: node.place, found: text,
        allowed: allowed)
      return nil
    }
    return found
  }

  private static func margin(_ text: String, isDuration: Bool) -> GateRule.Margin? {
    if text.hasSuffix(" relative") {
      return ScalarText.percent(String(text.dropLast(" relative".count)))
        .map { GateRule.Margin($0, isRelative: true) }
    }
    if isDuration {
      let seconds =
        DurationText.milliseconds(text).map { Double($0) / 1000 }
        ?? ScalarText.number(text)
      return seconds.map { GateRule.Margin($0) }
    }
    for unit in [" points", " point", " pp", "pp"] where text.hasSuffix(unit) {
      return ScalarText.number(String(text.dropLast(unit.count))).map { GateRule.Margin($0 / 100) }
    }
    return (ScalarText.percent(text) ?? ScalarText.number(text)).map { GateRule.Margin($0) }
  }
}
