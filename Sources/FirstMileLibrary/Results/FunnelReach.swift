/// One of the flow's funnels of events.
public struct FunnelReach: Sendable, Hashable, Identifiable {
  /// The funnel, as the flow calls it.
  public let id: String
  /// How many people got to each step or further, in the order of the steps.
  public let reached: [Int]
  /// All steps, of those with the first; `nil` of nobody.
  public var rate: Double? {
    guard let first = reached.first, let last = reached.last, first > 0 else { return nil }
    return Double(last) / Double(first)
  }
}
