/// A fact as the walk over a timeline sees it: its meaning to the flow looked up.
struct WalkFact {
  var timeMilliseconds: Int64
  var action: Int
  var context: Int
  var session: UInt32
  var kind: FactKind
  /// The step its page means, or one of `CompiledPage`'s codes.
  var page: Int16
}
