/// What is known of a person's attempts before the one at hand; reused from person to person.
struct EarlierAttempts {
  /// When each began and ended, in their order.
  private var spans: [ClosedRange<Int64>] = []
  /// The span that the moment asked for last lies before the end of.
  private var place = 0
  /// When the last one began that was finished, skipped or completed late.
  private var lastDecided: Int64?
  /// The facts below this index make nobody an existing user.
  var checked = 0

  var count: Int { spans.count }

  mutating func removeAll() {
    spans.removeAll(keepingCapacity: true)
    place = 0
    lastDecided = nil
    checked = 0
  }

  mutating func append(_ attempt: Attempt) {
    spans.append(attempt.entryMilliseconds...attempt.endMilliseconds)
    if attempt.outcome != .abandoned && attempt.outcome != .open || attempt.completedLate {
      lastDecided = attempt.entryMilliseconds
    }
  }

  /// Whether one that began at or after a moment was finished, skipped or completed late.
  func hasDecided(since: Int64) -> Bool { lastDecided.map { $0 >= since } ?? false }

  /// Goes back to a fact, as what was passed over before may count now.
  mutating func look(again index: Int) {
    place = 0
    checked = index
  }

  /// Whether one that began at or after `since` holds a moment; no moment is earlier than the one
  /// asked for before.
  mutating func hold(_ time: Int64, since: Int64) -> Bool {
    while place < spans.count && spans[place].upperBound < time { place += 1 }
    guard place < spans.count else { return false }
    return spans[place].lowerBound >= since && spans[place].contains(time)
  }
}
