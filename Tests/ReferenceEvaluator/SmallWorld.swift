package import FlowDefinition

/// Every timeline of a few facts, where the facts are the kinds that decide an attempt, at the
/// times where decisions turn: the entry, a millisecond later, the window's end and just after.
package enum SmallWorld {
  /// Three plain steps; skipping ends the flow.
  package static var flow: Flow {
    Flow(id: "small", steps: [Step(id: "welcome"), Step(id: "plan"), Step(id: "done")])
  }

  private static let kinds = [
    "started", "view welcome", "view done", "stepskip welcome", "skip plan", "finish",
    "finish_skipped",
  ]
  private static let times = ["+0s", "+1ms", "+24h", "+24h1ms"]

  /// All sets of at least one and at most `size` facts, as lines of one user.
  package static func timelines(upTo size: Int) -> [[String]] {
    let facts = times.flatMap { time in
      kinds.compactMap { CaseEvent("\(time) u1 \($0)")?.json }
    }
    return sets(of: facts[...], upTo: size).filter { !$0.isEmpty }
  }

  private static func sets(of facts: ArraySlice<String>, upTo size: Int) -> [[String]] {
    guard size > 0, let first = facts.first else { return [[]] }
    let rest = facts.dropFirst()
    return sets(of: rest, upTo: size) + sets(of: rest, upTo: size - 1).map { [first] + $0 }
  }

  /// A horizon at which everybody is mature.
  package static let options = ReferenceOptions(
    asOfMilliseconds: CaseEvent.origin + 30 * ReferenceTime.day)
}
