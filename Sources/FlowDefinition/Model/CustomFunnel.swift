/// A funnel of the classical kind, over all of a person's facts.
public struct CustomFunnel: Sendable, Hashable {
  /// Whether other events may stand between two steps, and whether the order of steps counts.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    case ordered, strict, any
  }
  /// Which of a person's entries counts: the first, or the one from which they got furthest.
  public enum Entry: String, Sendable, Hashable, CaseIterable {
    case first, best
  }
  /// Whether the window runs from the first step, or anew from each step to the next.
  public enum WindowScope: String, Sendable, Hashable, CaseIterable {
    case whole, step
  }

  /// Its name in tables; unique among the flow's funnels.
  public var id: String
  /// In order; at least one.
  public var steps: [FunnelStep]
  /// How long the funnel, or each of its steps, may take, end included.
  public var windowMilliseconds: Int64
  /// What ``windowMilliseconds`` is the time of.
  public var windowScope: WindowScope
  /// How strictly the steps follow each other.
  public var order: Order
  /// Which entry counts.
  public var entry: Entry
  /// Events that must not stand between steps.
  public var exclusions: [FunnelExclusion]

  /// An ordered funnel of the first entry, in one window, unless said otherwise.
  public init(
    id: String, steps: [FunnelStep], windowMilliseconds: Int64, windowScope: WindowScope = .whole,
    order: Order = .ordered, entry: Entry = .first, exclusions: [FunnelExclusion] = []
  ) {
    self.id = id
    self.steps = steps
    self.windowMilliseconds = windowMilliseconds
    self.windowScope = windowScope
    self.order = order
    self.entry = entry
    self.exclusions = exclusions
  }
}

/// One step of a custom funnel: any one of some events.
public struct FunnelStep: Sendable, Hashable {
  /// Any one of them is the step; at least one.
  public var anyOf: [EventPattern]
  /// Whether a person who skips the step gets on.
  public var isOptional: Bool

  /// A step that must be taken, unless it is optional.
  public init(anyOf: [EventPattern], isOptional: Bool = false) {
    self.anyOf = anyOf
    self.isOptional = isOptional
  }
}

/// An event that must not stand between two steps.
public struct FunnelExclusion: Sendable, Hashable {
  /// What the event does to a person's place in the funnel.
  public enum Effect: String, Sendable, Hashable, CaseIterable {
    /// The person is not in the funnel at all.
    case remove
    /// The person got as far as the step before.
    case drop
  }
  /// The events that exclude.
  public var pattern: EventPattern
  /// Steps counted from 1: the exclusion holds after `from` and before `to`.
  public var from: Int
  /// The step before which the exclusion ends, counted from 1.
  public var to: Int
  /// What becomes of the person.
  public var effect: Effect

  /// An exclusion after step `from` and before step `to`, both counted from 1.
  public init(pattern: EventPattern, from: Int, to: Int, effect: Effect = .remove) {
    self.pattern = pattern
    self.from = from
    self.to = to
    self.effect = effect
  }
}
