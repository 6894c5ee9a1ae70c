/// A funnel of the classical kind, over all of a person's facts (SPEC 7).
public struct CustomFunnel: Sendable, Hashable {
  public enum Order: String, Sendable, Hashable, CaseIterable {
    case ordered, strict, any
  }
  public enum Entry: String, Sendable, Hashable, CaseIterable {
    case first, best
  }
  /// Whether the window runs from the first step, or anew from each step to the next.
  public enum WindowScope: String, Sendable, Hashable, CaseIterable {
    case whole, step
  }

  public var id: String
  public var steps: [FunnelStep]
  public var windowMilliseconds: Int64
  public var windowScope: WindowScope
  public var order: Order
  public var entry: Entry
  public var exclusions: [FunnelExclusion]

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
  public var anyOf: [EventPattern]
  public var isOptional: Bool

  public init(anyOf: [EventPattern], isOptional: Bool = false) {
    self.anyOf = anyOf
    self.isOptional = isOptional
  }
}

/// An event that must not stand between two steps.
public struct FunnelExclusion: Sendable, Hashable {
  public enum Effect: String, Sendable, Hashable, CaseIterable {
    /// The person is not in the funnel at all.
    case remove
    /// The person got as far as the step before.
    case drop
  }
  public var pattern: EventPattern
  /// Steps counted from 1: the exclusion holds after `from` and before `to`.
  public var from: Int
  public var to: Int
  public var effect: Effect

  public init(pattern: EventPattern, from: Int, to: Int, effect: Effect = .remove) {
    self.pattern = pattern
    self.from = from
    self.to = to
    self.effect = effect
  }
}
