internal import FlowDefinition
internal import FunnelEngine
internal import FunnelMetrics
internal import ReportText

/// A mistake of a gate that only the data can show; ends with exit code 2.
package struct GateError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String
}

/// One rule in one slice, for one step.
struct GateCase: Sendable {
  var rule: GateRule
  var metric: MetricName
  var slice: Slice
  /// `all` where the metric has none.
  var step: String
  /// Where the flow has several experiments, which may call their variants alike.
  var namesExperiment = false
  /// Why a rule that goes over slices has none to go over yet; else `nil`.
  var emptiness: String? = nil
  /// An experiment of which nobody is in a variant, beside others that the rule goes over: it is
  /// asked whether that is chance, and no more.
  var isOfAbsentExperiment = false

  var needsBaseline: Bool {
    if case .notWorse(.baseline, _) = rule.demand { return true }
    return false
  }

  /// `step_conversion plan, variant short, os=iOS`, or `…, experiment length, variant short`: in
  /// the words of the gate's file, for programs.
  var title: String { words(experiment: slice.experiment, variant: slice.variant) }

  /// With the titles of the flow file in place of ids, for people.
  func heading(_ flow: Flow) -> String {
    words(
      experiment: flow.title(ofExperiment: slice.experiment),
      variant: flow.title(ofVariant: slice.variant, in: slice.experiment))
  }

  private func words(experiment: String, variant: String) -> String {
    var parts: [String] = []
    if slice.version != "all" { parts.append("flow version \(slice.version)") }
    if slice.variant != "all" {
      if namesExperiment { parts.append("experiment \(experiment)") }
      parts.append("variant \(variant)")
    }
    if slice.breakdownText != "all" { parts.append(slice.breakdownText) }
    if emptiness != nil, !rule.forEach.isEmpty {
      parts.append("for each \(rule.forEach.joined(separator: " and "))")
    }
    let name = step == "all" ? metric.rawValue : "\(metric) \(step)"
    return SafeText.name(([name] + parts).joined(separator: ", "))
  }
}

/// The rules of a gate, each in all the slices that it names and the data has.
struct GateCases {
  let gate: Gate
  let analysis: Analysis
  /// Of everyone in the data: a value that only other days have is no mistake of the gate's file.
  private let known: Analysis
  private var flow: Flow { analysis.flow }
  /// Rows that can be ruled on, by metric, in the order of output.
  private let rowsOfMetric: [MetricName: [MetricRow]]
  private let dimensions: Set<String>
  /// Those whose values come with events, and not from reports.
  private let dimensionsOfEvents: Set<String>

  init(_ gate: Gate, _ analysis: Analysis, known: Analysis? = nil) {
    self.gate = gate
    self.analysis = analysis
    self.known = known ?? analysis
    dimensionsOfEvents = Set(analysis.flow.dimensions.map(\.id))
    dimensions = dimensionsOfEvents.union([BreakdownKey.usedSkip, BreakdownKey.outcome])
    rowsOfMetric = Dictionary(grouping: analysis.rows.filter { $0.slice.cohort == "all" }) {
      $0.metric
    }
  }

  /// The rules on metrics, the flow's targets after those of the file.
  var metricRules: [GateRule] {
    let targets = gate.includesTargets ? flow.targets.map { GateRule($0) } : []
    return gate.rules.filter { if case .metric = $0.subject { true } else { false } } + targets
  }

  /// Each demand on a quantity once, however many rules and targets make it.
  ///
  /// - Throws: `GateError` for a rule that matches nothing.
  func all() throws(GateError) -> [GateCase] {
    var all: [GateCase] = []
    for rule in metricRules { all += try cases(of: rule) }
    return once(all)
  }

  /// What a case asks of which quantity, by whatever name.
  private struct Question: Hashable {
    var rate: TestedRate
    var slice: Slice
    var demand: GateRule.Demand
    var better: GateRule.Direction
    var isSlowDecline: Bool
    var isProof: Bool
    var adjustedFor: [String]
  }

  /// Of cases that ask the same the first stands for all, a rule of the file so for a target,
  /// whatever its margin is and whether it is suppressed. Of two rules of the file the stricter
  /// consequence of each verdict holds.
  func once(_ cases: [GateCase]) -> [GateCase] {
    let rates = RepeatedRates(flow)
    var places: [Question: [Int]] = [:]
    var kept: [GateCase] = []
    for item in cases {
      let rule = item.rule
      let question = Question(
        rate: rates.first(for: item.metric, step: item.step), slice: item.slice,
        demand: rule.demand, better: rule.better, isSlowDecline: rule.isSlowDecline,
        isProof: rule.isProof, adjustedFor: rule.adjustedFor)
      let place = places[question, default: []].first { place in
        let other = kept[place].rule
        return rule.line == 0
          || (other.margin == rule.margin && other.suppression == rule.suppression)
      }
      guard let place else {
        places[question, default: []].append(kept.count)
        kept.append(item)
        continue
      }
      if rule.line > 0 { kept[place].rule.join(rule, default: gate.onInconclusive) }
    }
    return kept
  }

  /// A rule in the slices that it names and the data has.
  ///
  /// - Throws: `GateError` for a rule that matches nothing.
  func cases(of rule: GateRule) throws(GateError) -> [GateCase] {
    guard case .metric(let metric) = rule.subject else { return [] }
    let wanted = wanted(rule)
    // A rule that goes over nothing is about one row.
    let found =
      rule.forEach.isEmpty
      ? [analysis.number(metric, step: rule.step.isEmpty ? "all" : rule.step, in: wanted)]
        .compactMap(\.self)
      : rows(of: rule, metric, wanted)
    let hasSeveral = flow.experiments.count > 1
    if found.isEmpty {
      // What nobody did yet, and what a rule goes over, comes with the data; a dimension's value
      // that nobody has is a mistake of the file.
      if rule.line > 0, let mistake = unknownValue(rule) {
        throw GateError(
          description: "\(gate.file):\(rule.line):\(rule.column): the rule matches nothing: "
            + mistake)
      }
      let step = rule.step.isEmpty ? "all" : rule.step
      let isUnknown = analysis.unmeasured.reason(for: metric, step: step, in: wanted) != nil
      let emptiness =
        "no slice has \(max(1, rule.minimumPersons)) or more persons for '\(metric)'"
      return [
        GateCase(
          rule: rule, metric: metric, slice: wanted, step: step, namesExperiment: hasSeveral,
          emptiness: rule.forEach.isEmpty || isUnknown ? nil : emptiness)
      ]
    }
    return found.map {
      GateCase(
        rule: rule, metric: metric, slice: $0.slice, step: $0.step, namesExperiment: hasSeveral)
    } + absentExperiments(rule, metric, wanted, found: Set(found.map(\.slice.experiment)))
  }

  /// The experiments without anybody that a rule over all variants doesn't meet.
  private func absentExperiments(
    _ rule: GateRule, _ metric: MetricName, _ wanted: Slice, found: Set<String>
  ) -> [GateCase] {
    guard rule.forEach.contains("variant"), wanted.experiment == "all" else { return [] }
    return flow.experiments.filter { !found.contains($0.id) }.map { experiment in
      var slice = wanted
      slice.experiment = experiment.id
      return GateCase(
        rule: rule, metric: metric, slice: slice, step: rule.step.isEmpty ? "all" : rule.step,
        namesExperiment: true, emptiness: "nobody is in a variant", isOfAbsentExperiment: true)
    }
  }

  /// A rule that can't be judged yet, as one case with the reason.
  func unjudged(_ rule: GateRule, _ reason: String) -> [GateCase] {
    guard case .metric(let metric) = rule.subject else { return [] }
    return [
      GateCase(
        rule: rule, metric: metric, slice: wanted(rule),
        step: rule.step.isEmpty ? "all" : rule.step,
        namesExperiment: flow.experiments.count > 1, emptiness: reason)
    ]
  }

  /// The rows that a rule goes over. A goal's value has one wherever its goal has one.
  private func rows(of rule: GateRule, _ metric: MetricName, _ wanted: Slice) -> [MetricRow] {
    var ofGoal = rule
    ofGoal.step = String(rule.step.prefix { $0 != ":" })
    return (rowsOfMetric[metric] ?? []).filter { matches($0, ofGoal, wanted) }.compactMap { row in
      rule.step.contains(":") ? analysis.number(metric, step: rule.step, in: row.slice) : row
    }
  }

  private func matches(_ row: MetricRow, _ rule: GateRule, _ wanted: Slice) -> Bool {
    let slice = row.slice
    let any = { (name: String) in rule.forEach.contains(name) }
    guard any("version") ? slice.version != "all" : slice.version == wanted.version else {
      return false
    }
    if any("variant") {
      // Without the key `experiment` a rule is about the variants of all of them.
      guard wanted.experiment == "all" || slice.experiment == wanted.experiment,
        isHeld(slice, rule)
      else { return false }
    } else if slice.variant != wanted.variant
      || (wanted.variant != "all" && slice.experiment != wanted.experiment)
    {
      return false
    }
    guard breakdownMatches(slice.breakdown, wanted.breakdown, rule) else { return false }
    if !rule.step.isEmpty || !namesStep(rule) {
      if row.step != (rule.step.isEmpty ? "all" : rule.step) { return false }
    } else if row.step.contains(":") && row.metric == .goalRate || row.step == "(unknown)" {
      return false
    }
    guard var people = row.denominator else { return true }
    // A step that the slice's list doesn't have has no people; one that it has has lost them.
    if people == 0 { people = GoneNumber.missing(at: row.step, slice, analysis) ?? 0 }
    return people >= max(1, rule.minimumPersons)
  }

  /// Declared variants; the control is not held against itself.
  private func isHeld(_ slice: Slice, _ rule: GateRule) -> Bool {
    guard let experiment = flow.experiments.first(where: { $0.id == slice.experiment }),
      let index = experiment.variants.firstIndex(where: { $0.id == slice.variant })
    else { return false }
    if case .notWorse(.control, _) = rule.demand { return index != experiment.control }
    return true
  }

  private func namesStep(_ rule: GateRule) -> Bool {
    let kinds = ["step", "goal", "permission", "friction", "funnel"]
    return rule.forEach.contains { kinds.contains($0) }
  }

  private func breakdownMatches(
    _ breakdown: BreakdownKey, _ wanted: BreakdownKey, _ rule: GateRule
  ) -> Bool {
    if let dimension = rule.forEach.first(where: { dimensions.contains($0) }) {
      return breakdown.dimension == dimension
    }
    return breakdown == wanted
  }

  /// The slice that a rule names, with the only experiment filled in.
  private func wanted(_ rule: GateRule) -> Slice {
    Slice(named: rule.slice, in: flow, ofVariants: rule.forEach.contains("variant"))
  }

  /// What the data has where a rule names a value that nobody has; `nil` where somebody has it.
  private func unknownValue(_ rule: GateRule) -> String? {
    let wanted = wanted(rule).breakdown
    guard dimensionsOfEvents.contains(wanted.dimension) else { return nil }
    let values = known.slices.slices.filter {
      $0.uncut == .all && $0.breakdown.dimension == wanted.dimension
    }.map(\.breakdown.value)
    if values.contains(wanted.value) { return nil }
    return "no person has \(SafeText.name("\(wanted.dimension)=\(wanted.value)")); the data has "
      + list(values, of: wanted.value)
  }

  private func list(_ values: [String], of wanted: String) -> String {
    if values.isEmpty { return "none" }
    let near = NearestName.of(wanted, among: values).map { "; did you mean '\($0)'?" } ?? ""
    let shown = values.prefix(8).map { SafeText.name($0, limit: 40) }.joined(separator: ", ")
    return shown + (values.count > 8 ? " and \(values.count - 8) more" : "") + near
  }
}

extension GateRule {
  /// Takes the consequences of another rule that asks the same, where they are stricter: each
  /// verdict is as severe as the more severe of both makes it, and no more.
  fileprivate mutating func join(_ other: GateRule, default policy: OnInconclusive) {
    let rules = [self, other]
    func undecided(_ rule: GateRule) -> OnInconclusive { rule.onInconclusive ?? policy }
    let fails = rules.contains { undecided($0) == .fail && $0.level == .error }
    let warns = rules.contains { undecided($0) != .ignore }
    onInconclusive = fails ? .fail : warns ? .warn : .ignore
    level = rules.contains { $0.level == .error } ? .error : .warn
  }
}
