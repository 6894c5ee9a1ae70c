/// Which facts of an attempt begin a session (definitions 5.7), asked fact by fact in order.
///
/// Sessions are known by hashes, so that facts which differ in nothing else stand in no order at
/// one millisecond. All its sessions therefore count as the last ones for what follows.
struct SessionWalk {
  private var timeMilliseconds = Int64.min
  private var here = Sessions()
  private var before = Sessions()

  /// Whether the session of a fact is neither among those of the last earlier millisecond that had
  /// any, nor known from its own; at the first such millisecond every session but one is new.
  mutating func begins(_ session: UInt32, at time: Int64) -> Bool {
    if time != timeMilliseconds {
      before = here
      here = Sessions()
      timeMilliseconds = time
    }
    guard here.insert(session) else { return false }
    return before.isEmpty ? here.isSeveral : !before.contains(session)
  }

  /// Nearly always one.
  private struct Sessions {
    private var first: UInt32 = 0
    private var more: Set<UInt32>?

    var isEmpty: Bool { first == 0 }
    var isSeveral: Bool { more != nil }

    func contains(_ session: UInt32) -> Bool {
      first == session || more?.contains(session) ?? false
    }

    /// Whether it is new here; 0 is no session.
    mutating func insert(_ session: UInt32) -> Bool {
      if isEmpty {
        first = session
        return true
      }
      if contains(session) { return false }
      more = more ?? []
      more?.insert(session)
      return true
    }
  }
}
