/// What somebody who dropped off did next, within the window (definitions 7).
public enum NextEvent: Sendable, Hashable {
  /// Nothing any more.
  case none
  /// Viewed the step with this index once more: went back to it, or began again.
  case view(Int)
  /// An event by its name.
  case named(String)
}

/// Next events of the people of a group who dropped off at one step.
public struct NextEventKey: Sendable, Hashable {
  /// The people's version and variants.
  public var group: GroupKey
  /// Index into the flow's steps of the furthest that was viewed; `nil` for none.
  public var furthest: Int?
  /// What they did next.
  public var event: NextEvent

  /// The key of one next event; `furthest` is `nil` for those who viewed no step of their list.
  public init(group: GroupKey, furthest: Int?, event: NextEvent) {
    self.group = group
    self.furthest = furthest
    self.event = event
  }
}
