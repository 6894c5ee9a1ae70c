internal import Yams

/// Turns the text of a gate file into a `Gate`; the grammar is docs/gate.md.
public enum GateParser {
  /// Parses the bytes of a gate file; the first byte that isn't UTF-8 is reported with its place.
  public static func parse(
    bytes: [UInt8], file: String, for flow: Flow
  ) throws(FlowFileErrors) -> (gate: Gate, warnings: [FlowFileWarning]) {
    try parse(try UTF8Text.of(bytes, file: file), file: file, for: flow)
  }

  /// Parses a gate file and checks it against the flow that it is for.
  ///
  /// - Returns: The gate with every default filled in, and remarks on what is allowed but odd.
  /// - Throws: All mistakes found, by position; never only the first.
  public static func parse(
    _ text: String, file: String, for flow: Flow
  ) throws(FlowFileErrors) -> (gate: Gate, warnings: [FlowFileWarning]) {
    let diagnostics = Diagnostics(file: file)
    var lines = text.replacing("\r\n", with: "\n")
    if lines.unicodeScalars.first == "\u{FEFF}" { lines.unicodeScalars.removeFirst() }
    var builder = GateBuilder(flow, diagnostics)
    builder.gate.file = file
    if let root = YAMLText.compose(lines, diagnostics) { builder.read(root) }
    if diagnostics.hasErrors { throw FlowFileErrors(diagnostics.sortedErrors) }
    return (builder.gate, diagnostics.sortedWarnings)
  }
}

/// A gate in the making.
struct GateBuilder {
  static let keys = [
    "gate", "flow", "baseline", "period", "statistics", "on_inconclusive", "targets", "rules",
  ]

  /// Whether the flow's own targets are rules too.
  enum TargetUse: String, CaseIterable {
    case include, ignore
  }

  let diagnostics: Diagnostics
  let flow: Flow
  let names: SliceReader
  var gate: Gate
  /// The line of each rule that has an id.
  var lineOfRule: [String: Int] = [:]

  init(_ flow: Flow, _ diagnostics: Diagnostics) {
    self.diagnostics = diagnostics
    self.flow = flow
    names = SliceReader(flow, diagnostics)
    gate = Gate(flow: flow)
  }

  mutating func read(_ root: Node) {
    guard
      let file = MappingReader(root, what: "a gate file", allowed: Self.keys, diagnostics)
    else { return }
    gate.title = file.text("gate") ?? gate.title
    if let node = file.node("flow"), let id = diagnostics.text(node, "'flow'"), id != flow.id {
      diagnostics.error(
        "the gate is for flow '\(id)', but was asked about '\(flow.id)'", at: node.place,
        found: id, allowed: [flow.id])
    }
    gate.onInconclusive =
      file.choice("on_inconclusive", GateRule.OnInconclusive.self) ?? gate.onInconclusive
    gate.includesTargets = file.choice("targets", TargetUse.self) != .ignore
    readBaseline(file)
    readPeriod(file)
    readStatistics(file)
    let nodes = file.list("rules") ?? []
    if nodes.isEmpty, !diagnostics.hasErrors, !gate.includesTargets || flow.targets.isEmpty {
      diagnostics.error("a gate without rules holds nothing: 'rules' is empty", at: file.mark)
    }
    for node in nodes { readRule(node) }
  }

  private mutating func readBaseline(_ file: MappingReader) {
    guard let node = file.node("baseline") else { return }
    if node.mapping == nil {
      gate.baseline = diagnostics.text(node, "'baseline'")
      return
    }
    guard
      let reader = MappingReader(
        node, what: "'baseline'", allowed: ["file", "max_age"], diagnostics)
    else { return }
    gate.baseline = reader.text("file")
    gate.maximumBaselineAgeMilliseconds =
      reader.duration("max_age") ?? gate.maximumBaselineAgeMilliseconds
  }

  private mutating func readPeriod(_ file: MappingReader) {
    guard let node = file.node("period"), let text = diagnostics.text(node, "'period'") else {
      return
    }
    gate.period = GatePeriod(text)
    if gate.period == nil {
      diagnostics.error(
        "'period' must be days on which people began, found '\(text)'", at: node.place,
        found: text, allowed: GatePeriod.allowed)
    }
  }

  private mutating func readStatistics(_ file: MappingReader) {
    guard let node = file.node("statistics"),
      let reader = MappingReader(
        node, what: "'statistics'", allowed: ["alpha", "power", "correction", "nights"],
        diagnostics)
    else { return }
    gate.alpha = diagnostics.percentage(reader, "alpha", 0.001...0.5) ?? gate.alpha
    gate.power = diagnostics.percentage(reader, "power", 0.5...0.999) ?? gate.power
    if let node = reader.node("nights") {
      gate.nights = diagnostics.wholeNumber(node, "'nights'", in: 1...366) ?? gate.nights
    }
    gate.correction =
      reader.choice("correction", StatisticsSettings.Correction.self) ?? gate.correction
  }
}
