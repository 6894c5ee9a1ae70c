/// How many lines of a source have what the flow file names a place for.
public struct MappedSight: Sendable, Hashable {
  /// The field, and its place by the flow file.
  public let field: MappedField
  /// Whether it is the event's name.
  public let isEventName: Bool
  /// Lines that were looked at: all that are whole objects.
  public var lines = 0
  /// Those with a value at the flow file's place.
  public var found = 0
  /// Those with none there, but one where events have the field as a rule.
  public var elsewhere = 0
  /// Where the first of these has it.
  public var usual: String?

  /// The sum over two sources.
  public mutating func add(_ other: MappedSight) {
    lines += other.lines
    found += other.found
    elsewhere += other.elsewhere
    usual = usual ?? other.usual
  }
}
