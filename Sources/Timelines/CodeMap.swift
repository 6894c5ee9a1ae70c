/// A worker's codes of actions and contexts as codes of the whole run.
struct CodeMap: Sendable {
  var actions: [UInt32] = []
  var contexts: [UInt32] = []

  @inline(__always)
  func callAsFunction(_ fact: Fact) -> Fact {
    Fact(
      timeMilliseconds: fact.timeMilliseconds, action: actions[Int(fact.action)],
      context: contexts[Int(fact.context)], session: fact.session, message: fact.message)
  }
}

extension CodeMap {
  /// What codes become that go through this map and then through another.
  func through(_ next: CodeMap) -> CodeMap {
    CodeMap(
      actions: actions.map { next.actions[Int($0)] },
      contexts: contexts.map { next.contexts[Int($0)] })
  }

  /// For facts that have the codes of the run already.
  init(of tables: FactTables) {
    actions = (0..<tables.actionCount).map { UInt32(truncatingIfNeeded: $0) }
    contexts = (0..<tables.contextCount).map { UInt32(truncatingIfNeeded: $0) }
  }
}
