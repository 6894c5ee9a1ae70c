public import FunnelEngine

/// Which rules make two tools give different numbers on the same data: from the first tool's rules
/// to the second's, one at a time, with what each change does.
public struct Reconciliation: Sendable {
  /// One rule changed.
  public struct Change: Sendable, Hashable {
    /// The rule in words, with both choices.
    public var rule: String
    /// Who entered, and who finished, after the change.
    public var entered: Int
    public var finished: Int

    public init(rule: String, entered: Int, finished: Int) {
      self.rule = rule
      self.entered = entered
      self.finished = finished
    }
  }

  public let first: FunnelTool
  public let second: FunnelTool
  /// The first tool's own numbers, as a change from nothing.
  public let start: Change
  public let changes: [Change]

  public init(first: FunnelTool, second: FunnelTool, start: Change, changes: [Change]) {
    self.first = first
    self.second = second
    self.start = start
    self.changes = changes
  }

  /// The rules between two tools, in a fixed order: who, when, which entry, what order.
  public static func steps(from first: FunnelTool, to second: FunnelTool) -> [(String, FunnelRules)]
  {
    var rules = first.rules
    let goal = second.rules
    var steps: [(String, FunnelRules)] = []
    if rules.onlyFlowPersons != goal.onlyFlowPersons {
      rules.onlyFlowPersons = goal.onlyFlowPersons
      steps.append(
        (
          goal.onlyFlowPersons
            ? "persons: only those the flow's metrics are about, not everybody with the first step"
            : "persons: everybody with the first step, also existing users and orphans", rules
        ))
    }
    if rules.onlyMature != goal.onlyMature {
      rules.onlyMature = goal.onlyMature
      steps.append(
        (
          goal.onlyMature
            ? "denominator: only entries whose window is over"
            : "denominator: also entries whose window is not over yet", rules
        ))
    }
    if rules.entry != goal.entry {
      let words = [
        FunnelRules.Entry.own: "as the funnel says", .first: "the first",
        .best: "the one that gets farthest",
      ]
      rules.entry = goal.entry
      steps.append(("entry: \(words[goal.entry] ?? "")", rules))
    }
    if rules.ties != goal.ties {
      rules.ties = goal.ties
      steps.append(
        (
          goal.ties == .steps
            ? "ties: at one millisecond the earlier step comes first"
            : "ties: at one millisecond facts stand in the flow's order", rules
        ))
    }
    if rules.walk != goal.walk {
      rules.walk = goal.walk
      steps.append(
        (
          goal.walk == .windowFunnel
            ? "walk: windowFunnel, in which one row may be several steps and each step keeps its "
              + "latest chain"
            : "walk: from each entry to the first match of each next step", rules
        ))
    }
    return steps
  }

  private var last: Change { changes.last ?? start }

  /// The page for a terminal.
  public func text() -> String {
    var lines = [
      "\(first.rawValue): \(Self.words(start))", "\(second.rawValue): \(Self.words(last))", "",
    ]
    if changes.isEmpty { lines.append("Both count by the same rules.") }
    var before = start
    for change in changes {
      let entered = Self.signed(change.entered - before.entered)
      let finished = Self.signed(change.finished - before.finished)
      lines += [
        "  entered \(entered), finished \(finished)",
        "    \(change.rule)",
      ]
      before = change
    }
    if !changes.isEmpty, start.entered == last.entered, start.finished == last.finished {
      lines.append("On this data the rules make no difference together.")
    }
    return lines.map { SafeText.name($0, limit: 400) }.joined(separator: "\n") + "\n"
  }

  private static func words(_ change: Change) -> String {
    let share =
      change.entered == 0
      ? nil : RateText.finePercent(Double(change.finished) / Double(change.entered))
    return "\(change.finished) of \(change.entered) finish" + (share.map { ", \($0)" } ?? "")
  }

  private static func signed(_ number: Int) -> String { number > 0 ? "+\(number)" : "\(number)" }

  /// The reconciliation as JSON, for programs.
  public func json() -> String {
    func object(_ change: Change) -> String {
      JSONText.object([
        ("rule", JSONText.string(change.rule)), ("entered", "\(change.entered)"),
        ("finished", "\(change.finished)"),
      ])
    }
    return JSONText.block(
      [
        ("schema", "1"), ("first", JSONText.string(first.rawValue)),
        ("second", JSONText.string(second.rawValue)), ("start", object(start)),
        ("changes", JSONText.lines(changes.map(object), indent: "  ")),
      ], indent: "") + "\n"
  }
}
