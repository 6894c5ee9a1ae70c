/// A fact as a funnel sees it.
public struct FunnelFact: Sendable, Hashable {
  /// In milliseconds since 1970.
  public var time: Int64
  /// The funnel's steps that the fact can be, one bit each.
  public var steps: UInt64
  /// The funnel's exclusions that the fact meets, one bit each.
  public var exclusions: UInt64
  /// Its index in the person's timeline.
  public var index: Int

  /// A fact; one that is no step and meets no exclusion matters to strict orders only.
  public init(time: Int64, steps: UInt64, exclusions: UInt64 = 0, index: Int) {
    self.time = time
    self.steps = steps
    self.exclusions = exclusions
    self.index = index
  }
}
