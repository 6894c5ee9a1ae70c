/// Some hundred events as parallel columns, reused from batch to batch so that no event allocates.
///
/// Invariants: `users`, `devices`, `sessions`, `messages` and `timesMilliseconds` hold `count`
/// elements; `values` holds `count × slotCount`, event by event. A code of 0 in `values` means that
/// the field is missing, null, empty, or not a scalar.
public struct EventBatch: Sendable {
  /// How many values each event has.
  public let slotCount: Int
  /// How many events there are.
  public internal(set) var count = 0
  /// Each event's user; ``IdentifierHash/missing`` where it names none.
  public internal(set) var users: [IdentifierHash] = []
  /// Each event's device; ``IdentifierHash/missing`` where it names none.
  public internal(set) var devices: [IdentifierHash] = []
  /// A 24-bit keyed hash of the session id; 0 where there is none.
  public internal(set) var sessions: [UInt32] = []
  /// A 16-bit hash of the event's own id (`MessageHash`); 0 where there is none.
  public internal(set) var messages: [UInt16] = []
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public internal(set) var timesMilliseconds: [Int64] = []
  /// Codes in the scanner's name tables, `slotCount` for each event, in the plan's order.
  public internal(set) var values: [UInt32] = []
  /// What these events say about users who are one person.
  public internal(set) var links: [UserLink] = []

  /// A batch without events.
  public init(slotCount: Int) {
    self.slotCount = slotCount
  }
}
