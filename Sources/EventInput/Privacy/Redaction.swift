/// Which values are dropped on reading, and what must be read all the same.
public struct Redaction: Sendable {
  /// Whose values are dropped: no field is read there, and rejected lines are kept without them.
  public var paths: RedactedPaths
  /// What the flows use, so that no redaction may drop it from events of whatever format.
  public var neededFields: [FieldRule]

  public static let none = Redaction(.none, needing: [])

  public init(_ paths: RedactedPaths, needing fields: [FieldRule]) {
    self.paths = paths
    neededFields = fields
  }
}
