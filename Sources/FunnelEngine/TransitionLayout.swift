/// Which counter stands where among those of people's ways between steps (definitions 7).
public struct TransitionLayout: Sendable, Hashable {
  /// How a way through the flow ends.
  public enum End: Int, Sendable, CaseIterable {
    case finished, skipped, abandoned

    /// The name used in outputs.
    public var name: String {
      switch self {
      case .finished: "(finished)"
      case .skipped: "(skipped)"
      case .abandoned: "(abandoned)"
      }
    }
  }

  /// How many steps the flow declares, over all of its lists.
  public let stepCount: Int
  private let width: Int
  /// How many counters there are.
  public let count: Int

  /// The layout for a flow that declares so many steps.
  public init(stepCount: Int) {
    self.stepCount = stepCount
    width = 2 * stepCount + End.allCases.count
    count = (stepCount + 1) * width
  }

  /// From a step to the one that was viewed next.
  ///
  /// - Parameter from: −1 for the entry.
  public func move(from: Int, to step: Int, isReturn: Bool) -> Int {
    (from + 1) * width + (isReturn ? stepCount : 0) + step
  }

  /// From the step that was viewed last to how the attempt ended.
  public func end(from: Int, _ end: End) -> Int {
    (from + 1) * width + 2 * stepCount + end.rawValue
  }
}
