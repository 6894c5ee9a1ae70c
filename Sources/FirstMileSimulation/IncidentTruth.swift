/// Something that went wrong in the dump on purpose: which days' numbers it changes, and whose.
public struct IncidentTruth: Sendable, Hashable, Codable {
  /// `leaving`: more people leave on the step. `lost_views`: the step's views are not sent.
  /// `missing_property`: the event is sent without the property.
  public var kind: String
  /// The step, or the event and its property, as `stack_created.input`.
  public var of: String
  /// Only people who began with this version of the app.
  public var appVersion: String
  /// Its first instant, in milliseconds since 1970.
  public var fromMilliseconds: Int64
  /// The first instant after it, in milliseconds since 1970.
  public var toMilliseconds: Int64
}
