/// What was seen at one time after the start: how many had the event, and how many were last seen
/// then without it. Who is censored at a time counts as at risk for the events of that time.
public struct TimeCount: Sendable, Hashable {
  /// The time since the start, in any unit.
  public let time: Double
  /// How many had the event at this time.
  public let events: Int
  /// How many were last seen at this time without the event.
  public let censored: Int

  /// Negative counts count as none.
  public init(time: Double, events: Int, censored: Int) {
    self.time = time
    self.events = max(0, events)
    self.censored = max(0, censored)
  }
}
