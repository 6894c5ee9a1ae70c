package import FlowDefinition
internal import FunnelMetrics

/// Rules and the people on whom they are judged.
extension GateRun {
  /// How long after entry the numbers of a gate's rules are settled, each length once.
  package static func settlings(_ gate: Gate, _ flow: Flow) -> [Settling] {
    let targets = gate.includesTargets ? flow.targets.map { GateRule($0) } : []
    let ofRules = (gate.rules.filter { !$0.isSlowDecline } + targets).map { settling($0, flow) }
    return Set(ofRules + [flow.settlingOfAttempts]).sorted()
  }

  /// How long after entry the numbers are settled that are watched for a slow decline.
  package static func settlingsOfDeclines(_ gate: Gate, _ flow: Flow) -> [Settling] {
    Set(gate.rules.filter(\.isSlowDecline).map { settling($0, flow) }).sorted()
  }

  static func key(_ rule: GateRule, _ flow: Flow) -> GatePart.Key {
    GatePart.Key(settling(rule, flow), isSlowDecline: rule.isSlowDecline)
  }

  static func settling(_ rule: GateRule, _ flow: Flow) -> Settling {
    guard case .metric(let metric) = rule.subject else { return flow.settlingOfAttempts }
    return flow.settling(of: metric, step: rule.step)
  }

  /// Of days before those that are judged: the baseline of the rules that are settled with the
  /// flow's window, else of those that are settled first.
  package static func baseline(ofParts parts: [GatePart.Key: GatePart], _ flow: Flow) -> Baseline? {
    func order(_ key: GatePart.Key) -> (Int, Settling, Int) {
      (
        key.settling == flow.settlingOfAttempts ? 0 : 1, key.settling, key.isSlowDecline ? 1 : 0
      )
    }
    return parts.filter { $0.value.baseline != nil }.min { order($0.key) < order($1.key) }?
      .value.baseline
  }

  /// Whether anybody can be judged, by any rule.
  package var hasJudgedPeople: Bool {
    parts.isEmpty || parts.values.contains { $0.report != nil }
  }

  /// What a rule is judged on; `nil` for the run's own report.
  func part(of rule: GateRule) -> GatePart? {
    parts[GateRun.key(rule, report.analysis.flow)]
  }

  /// Each demand on a quantity once, with the part that it is judged on.
  ///
  /// - Throws: `GateError` for a rule that matches nothing.
  func cases() throws(GateError) -> [(item: GateCase, part: GatePart.Key?)] {
    let own = GateCases(gate, report.analysis, known: whole?.analysis)
    guard !parts.isEmpty else { return try own.all().map { ($0, nil) } }
    let flow = report.analysis.flow
    var ofParts: [GatePart.Key: GateCases] = [:]
    var all: [GateCase] = []
    for rule in own.metricRules {
      let key = GateRun.key(rule, flow)
      guard let part = parts[key] else {
        all += try own.cases(of: rule)
        continue
      }
      guard let analysis = part.report?.analysis else {
        all += own.unjudged(rule, part.emptiness)
        continue
      }
      let cases =
        ofParts[key] ?? GateCases(gate, analysis, known: whole?.analysis ?? report.analysis)
      ofParts[key] = cases
      all += try cases.cases(of: rule)
    }
    return own.once(all).map { item in
      let key = GateRun.key(item.rule, flow)
      return (item, parts[key] == nil ? nil : key)
    }
  }
}
