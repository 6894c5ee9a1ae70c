/// A property of events whose values look like personal text. It never holds a value.
public struct PersonalProperty: Sendable, Hashable, Codable {
  /// Dotted, from the root of the event as the dump has it. `*` stands for keys that are themselves
  /// values.
  public var path: String
  /// What the values look like.
  public var kind: PersonalTextKind
  /// The sampled events in which the value looks like this.
  public var events: Int
  /// All events that were sampled.
  public var sampledEvents: Int
  /// Whether the run's flows use it, so that it can't be redacted.
  public var isUsed: Bool
  /// Whether people, devices or sessions are known by it.
  public var isIdentifier: Bool
}
