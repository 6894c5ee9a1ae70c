import FunnelEngine
import FunnelMetrics

/// Whom a number is about.
public struct Group: Sendable, Hashable {
  let slice: Slice

  private init(_ slice: Slice) { self.slice = slice }

  /// All people who entered.
  public static let everyone = Group(.all)

  /// People with a variant of an experiment.
  public static func variant(_ variant: String, of experiment: String) -> Group {
    Group(Slice(experiment: experiment, variant: variant))
  }

  /// People who met a version of the flow.
  public static func version(_ version: String) -> Group { Group(Slice(version: version)) }

  /// People with a value of one of the flow's dimensions.
  public static func dimension(_ dimension: String, is value: String) -> Group {
    Group(Slice(breakdown: BreakdownKey(dimension: dimension, value: value)))
  }
}
