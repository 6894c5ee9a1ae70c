internal import Yams

/// Reads which row of a report a target, or a rule of a gate, is about; knows what the flow
/// declares and so which rows there can be. Made once for a file: it looks names up.
struct SliceReader {
  /// Names in the flow's order.
  struct DeclaredNames {
    let all: [String]
    private let names: Set<String>

    init(_ all: [String]) {
      self.all = all
      names = Set(all)
    }

    func contains(_ name: String) -> Bool { names.contains(name) }
  }

  let catalog: MetricCatalog
  private let flow: Flow
  private let diagnostics: Diagnostics
  /// What may stand in the `step` column, by the metric's kind.
  private let declared: [MetricCatalog.StepKind: DeclaredNames]
  private let versions: DeclaredNames

  init(_ flow: Flow, _ diagnostics: Diagnostics) {
    self.flow = flow
    self.diagnostics = diagnostics
    catalog = MetricCatalog(flow)
    versions = DeclaredNames(
      flow.versions.map(\.name) + (flow.newestVersion.map { [$0] } ?? []))
    declared = [
      .step: DeclaredNames(flow.steps.map(\.id)), .permission: DeclaredNames(flow.permissions),
      .goal: DeclaredNames(flow.goals.map(\.id)),
      .friction: DeclaredNames(flow.friction.map(\.id)),
      .funnel: DeclaredNames(
        flow.funnels.flatMap { funnel in funnel.steps.indices.map { "\(funnel.id):\($0 + 1)" } }),
    ]
  }

  /// The value of the metric's `step` column, under the key `step` or the kind's own name.
  /// A rule of a gate names its step in the same way; `what` is the word for messages.
  func step(
    _ reader: MappingReader, _ metric: MetricName, _ kind: MetricCatalog.StepKind,
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
    let known = declared[kind] ?? DeclaredNames([])
    // A goal's row may be one of its values, a funnel's is one of its steps.
    let bare = String(name.prefix { $0 != ":" })
    let isKnown =
      switch kind {
      case .goal: known.contains(bare)
      case .step: known.contains(name) || name == "(entry)" || name == "(unknown)"
      default: known.contains(name)
      }
    if !isKnown { diagnostics.unknown(kind.rawValue, name, at: node.place, allowed: known.all) }
    return name
  }

  /// The slice of a target, or of a rule of a gate.
  func slice(_ reader: MappingReader, what: String = "a target") -> [NameMapping] {
    var slice: [NameMapping] = []
    if let node = reader.node("version"), let name = diagnostics.text(node, "'version'") {
      if !versions.contains(name) {
        diagnostics.unknown("version", name, at: node.place, allowed: versions.all)
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

  /// Refuses a number that no data can ever have.
  ///
  /// - Parameters:
  ///   - forEach: what a rule of a gate goes over.
  ///   - isAgainstControl: whether a rule holds a variant against its control.
  func checkPlace(
    _ reader: MappingReader, _ metric: MetricName, step: String, slice: [NameMapping],
    forEach: [String] = [], isAgainstControl: Bool = false
  ) {
    // A variant that could not be determined was a mistake already.
    if reader.has("variant"), !slice.contains(where: { $0.from == "variant" }) { return }
    var place = MetricPlace(metric, step: step, in: slice, forEach: forEach, of: flow)
    place.isAgainstControl = isAgainstControl
    guard let refusal = catalog.refusal(place) else { return }
    let keys = [refusal.key, "for_each", "metric"]
    let key = keys.first(where: reader.has) ?? refusal.key
    diagnostics.error(
      refusal.message, at: reader.keyMark(key), found: metric.rawValue,
      allowed: refusal.allowed)
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
