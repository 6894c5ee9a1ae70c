/// A sampled line or row that is no event, for messages where none is: what it was read as, and
/// what it lacks.
public struct RefusedLine: Sendable, Hashable {
  /// The file or address that it is from.
  public let source: String
  /// The format that it was read as.
  public let format: EventFormat.Name
  /// Whether it is a row of a table.
  public let isRow: Bool
  /// What keeps it from being an event.
  public let reason: RejectReason
  /// What else to know of the reason; may be empty.
  public let detail: String
  /// The keys of its scalar values, or the columns with a value, by name; without those in lists.
  public let keys: [String]
  /// Its lists of objects, in which nothing is looked for.
  public let lists: [String]
}
