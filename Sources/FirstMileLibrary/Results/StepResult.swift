/// One step of the flow.
public struct StepResult: Sendable, Hashable, Identifiable {
  /// The step, as the flow calls it.
  public let id: String
  /// What reports call it.
  public let title: String
  /// How many people viewed it.
  public let reached: Int
  /// Viewed it, of those whose list has the step.
  public let reach: Rate
  /// Went on from it, of those who viewed it.
  public let conversion: Rate
  /// Left here, of those who viewed it.
  public let dropOff: Rate
}

/// The steps of a flow, in its order: by position, or by id.
public struct StepResults: Sendable, RandomAccessCollection {
  let steps: [StepResult]

  /// The position of the flow's first step.
  public var startIndex: Int { steps.startIndex }
  /// The position after the flow's last step.
  public var endIndex: Int { steps.endIndex }
  /// The step at a position, which must be one of the collection's.
  public subscript(position: Int) -> StepResult { steps[position] }

  /// `nil` where the flow has no such step.
  public subscript(id: String) -> StepResult? { steps.first { $0.id == id } }
}
