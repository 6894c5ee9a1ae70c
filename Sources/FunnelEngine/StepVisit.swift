/// One stay of a person on a step.
public struct StepVisit: Sendable, Hashable {
  /// Index into the flow's steps.
  public var step: Int
  /// When the step was viewed, in milliseconds since 1970.
  public var startMilliseconds: Int64
  /// When the person went on; `nil` where that is unknown: nothing came after the view, or nothing
  /// for 30 minutes.
  public var endMilliseconds: Int64?
}
