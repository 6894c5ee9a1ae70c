internal import Yams

/// Turns the text of a flow file into a `Flow`; the grammar is docs/flow-file.md.
public enum FlowParser {
  /// Parses and checks a flow file.
  ///
  /// - Parameters:
  ///   - text: The YAML text; a byte-order mark and CRLF line ends are fine.
  ///   - file: The name that messages call the file by.
  /// - Returns: The flow with every default filled in, and remarks on what is allowed but odd.
  /// - Throws: All mistakes found, by position; never only the first.
  public static func parse(_ text: String, file: String) throws(FlowFileErrors) -> ParsedFlow {
    let diagnostics = Diagnostics(file: file)
    var lines = text.replacing("\r\n", with: "\n")
    if lines.unicodeScalars.first == "\u{FEFF}" { lines.unicodeScalars.removeFirst() }
    var builder = FlowBuilder(diagnostics)
    if let root = YAMLText.compose(lines, diagnostics) {
      builder.read(root)
    }
    if diagnostics.hasErrors { throw FlowFileErrors(diagnostics.sortedErrors) }
    return ParsedFlow(flow: builder.flow, warnings: diagnostics.sortedWarnings)
  }
}

/// A flow in the making: each section of the file fills in its part.
///
/// Sections are read in the order of what they refer to (steps, then lists, then goals …), not in
/// the order of the file, so that a file may name a step before it declares it.
struct FlowBuilder {
  static let keys = [
    "flow", "title", "window", "identity", "stitch_within", "existing_users", "new_attempt_after",
    "count", "history", "leave_out", "entry", "skip", "counts_from", "skips_count_from", "steps",
    "version", "versions", "expected_total", "experiments", "permissions", "goals", "friction",
    "retention", "day", "time_zone", "not_activity", "dimensions", "funnels", "targets", "events",
    "fields", "redact", "statistics", "other_pages", "guessed",
  ]

  let diagnostics: Diagnostics
  var flow = Flow(id: "", steps: [])
  /// Steps declared so far, with what can be resolved only when all are known.
  var declared: [DeclaredStep] = []
  /// The index in `declared` of each step by its id.
  var stepIndices: [String: Int] = [:]
  /// The index of each goal by its id, for those that refer to one.
  var goalIndices: [String: Int] = [:]
  var retentionIDs: Set<String> = []
  /// What the experiments are decided by, until all metrics are known.
  var plans: [PlanDraft] = []
  /// The distinct patterns so far.
  private var patterns: Set<EventPattern> = []
  /// The events that patterns and `not_activity` name.
  private var askedEvents: [(name: String, place: SourcePlace?)] = []

  init(_ diagnostics: Diagnostics) {
    self.diagnostics = diagnostics
  }

  mutating func read(_ root: Node) {
    guard
      let file = MappingReader(
        root, what: "a flow file", allowed: FlowBuilder.keys, diagnostics)
    else { return }
    flow.id = file.identifier("flow", in: "a flow file") ?? ""
    flow.title = file.text("title") ?? flow.id
    flow.windowMilliseconds = file.duration("window") ?? flow.windowMilliseconds
    flow.identity = file.choice("identity", IdentityRule.self) ?? flow.identity
    flow.stitchWithinMilliseconds =
      file.duration("stitch_within") ?? flow.stitchWithinMilliseconds
    flow.existingUsers =
      file.choice("existing_users", ExistingUsersRule.self) ?? flow.existingUsers
    readAttempts(file)
    flow.countsFrom =
      file.node("counts_from").flatMap {
        diagnostics.wholeNumber($0, "'counts_from'", in: 0...1)
      } ?? flow.countsFrom
    flow.skipsCountFrom =
      file.node("skips_count_from").flatMap {
        diagnostics.wholeNumber($0, "'skips_count_from'", in: 0...1)
      } ?? flow.countsFrom
    flow.ignoresOtherPages = file.choice("other_pages", OtherPages.self) == .ignore
    for node in file.list("guessed") ?? [] {
      guard let part = diagnostics.choice(node, "an item of 'guessed'", GuessedPart.self) else {
        continue
      }
      if !flow.guessed.contains(part) { flow.guessed.append(part) }
    }
    readEntry(file)
    readLeaveOut(file)
    flow.day = file.choice("day", DayRule.self) ?? flow.day
    readTimeZone(file)
    readLists(file)
    readSkip(file)
    flow.expectedTotalMilliseconds =
      file.node("expected_total").flatMap { expectedTotal($0) }
    readPermissions(file)
    flow.notActivity = distinctNames(file, "not_activity")
    let place = file.node("not_activity")?.place
    askedEvents += flow.notActivity.map { ($0, place) }
    readDimensions(file)
    readGoals(file)
    readFriction(file)
    readRetention(file)
    readPlans(plans)
    readFunnels(file)
    readEventNames(file)
    readFields(file)
    for (name, place) in askedEvents {
      guard let mistake = flow.mistake(inEventName: name) else { continue }
      diagnostics.error(mistake, at: place, found: name)
    }
    readTargets(file)
    readStatistics(file)
    readRedaction(file, root)
  }

  /// A list of names in which none stands twice.
  func distinctNames(_ file: MappingReader, _ key: String) -> [String] {
    var names: [String] = []
    var known: Set<String> = []
    for node in file.list(key) ?? [] {
      guard let name = diagnostics.name(node, "an item of '\(key)'") else { continue }
      if !known.insert(name).inserted {
        diagnostics.error("'\(name)' stands twice in '\(key)'", at: node.place, found: name)
      } else {
        names.append(name)
      }
    }
    return names
  }

  /// Notes an event's name, which must be one that events have once they are read.
  mutating func ask(for event: String, at place: SourcePlace?) {
    askedEvents.append((event, place))
  }

  /// Counts a pattern; one too many is a mistake at its place.
  mutating func count(_ pattern: EventPattern, at place: SourcePlace?) {
    ask(for: pattern.event, at: place)
    guard patterns.insert(pattern.canonical).inserted else { return }
    if patterns.count == FlowLimit.patterns.maximum + 1 {
      diagnostics.error(
        "the flow asks for more than \(FlowLimit.patterns.maximum) "
          + FlowLimit.patterns.rawValue, at: place, found: String(patterns.count))
    }
  }

  /// A list of the file, cut to as many items as are allowed.
  func list(_ file: MappingReader, _ key: String, _ limit: FlowLimit) -> [Node] {
    diagnostics.limited(file.list(key) ?? [], limit, place: \.place)
  }

  /// The index of the step that a node names; an unknown one is reported.
  func step(_ node: Node, _ what: String) -> Int? {
    guard let id = diagnostics.text(node, what) else { return nil }
    if let index = stepIndices[id] { return index }
    diagnostics.unknown("step", id, at: node.place, allowed: flow.steps.map(\.id))
    return nil
  }
}
