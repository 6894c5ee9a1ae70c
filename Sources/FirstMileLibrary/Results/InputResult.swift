/// How the events arrived.
public struct InputResult: Sendable, Hashable {
  /// Lines that are not blank; each is an event or a reject.
  public let lines: Int
  /// Events that were read, repeated ones among them; rejected lines are none.
  public let events: Int
  /// Lines that could not be used, by reason, such as `no_timestamp`.
  public let rejects: [String: Int]
  /// Where a file was damaged: what could be read is counted, the rest is lost.
  public let damages: [String]
}
