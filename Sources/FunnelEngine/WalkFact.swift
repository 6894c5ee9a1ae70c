/// A fact as the walk over a timeline sees it: its meaning to the flow looked up. 32 bytes, so that
/// two stand in a line of the cache.
struct WalkFact {
  var timeMilliseconds: Int64
  /// The number of the set of the flow's event patterns that it satisfies; 0 for none.
  var patternSet: UInt32
  var actionCode: UInt32
  var contextCode: UInt32
  var session: UInt32
  var kind: FactKind
  /// Shows that the person was there.
  var isActivity: Bool
  /// The step its page means, or one of `CompiledPage`'s codes.
  var page: Int16

  /// Whether two facts differ in nothing but the ids of their events.
  func isTwin(of other: WalkFact) -> Bool {
    timeMilliseconds == other.timeMilliseconds && actionCode == other.actionCode
      && contextCode == other.contextCode && session == other.session
  }

  var action: Int { Int(actionCode) }
  var context: Int { Int(contextCode) }
}
