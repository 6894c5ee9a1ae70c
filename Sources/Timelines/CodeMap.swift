/// A worker's codes of actions and contexts as codes of the whole run.
struct CodeMap: Sendable {
  var actions: [UInt32] = []
  var contexts: [UInt32] = []

  /// `nil` for codes that the worker never gave.
  @inline(__always)
  func callAsFunction(_ fact: Fact) -> Fact? {
    guard Int(fact.action) < actions.count, Int(fact.context) < contexts.count else { return nil }
    return Fact(
      timeMilliseconds: fact.timeMilliseconds, action: actions[Int(fact.action)],
      context: contexts[Int(fact.context)], session: fact.session, message: fact.message)
  }
}
