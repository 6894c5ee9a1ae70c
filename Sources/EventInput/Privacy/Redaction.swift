/// Which values are dropped on reading, and what must be read all the same.
public struct Redaction: Sendable {
  /// Whose values are dropped: no field is read there, and rejected lines are kept without them.
  public var paths: RedactedPaths
  /// What the flows use, so that no redaction may drop it from events of whatever format.
  public var neededFields: [FieldRule]

  /// Nothing is dropped, so that nothing needs to be kept from it.
  public static let none = Redaction(.none, needing: [])

  /// A redaction of these paths, and the fields that it must leave alone.
  public init(_ paths: RedactedPaths, needing fields: [FieldRule]) {
    self.paths = paths
    neededFields = fields
  }
}
