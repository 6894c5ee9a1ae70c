package import FlowDefinition

extension CustomFunnel {
  /// The steps of which no number is known (definitions 15): from the first one on that is not
  /// optional and none of whose events was seen; only the last where any order will do.
  package func unknownSteps(isSeen: (String) -> Bool) -> Range<Int>? {
    let first = steps.firstIndex { step in
      !step.isOptional && !step.anyOf.contains { isSeen($0.event) }
    }
    return first.map { (order == .any ? steps.count - 1 : $0)..<steps.count }
  }

  /// The events of the step for which these are unknown.
  package func missingEvents(isSeen: (String) -> Bool) -> [String] {
    let step = steps.first { step in
      !step.isOptional && !step.anyOf.contains { isSeen($0.event) }
    }
    return step?.anyOf.map(\.event) ?? []
  }
}
