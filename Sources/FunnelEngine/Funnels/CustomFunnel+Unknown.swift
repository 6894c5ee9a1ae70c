package import FlowDefinition

extension CustomFunnel {
  /// The steps of which no number is known (definitions 15): from the first one on that is not
  /// optional and none of whose events was seen; only the last where any order will do.
  package func unknownSteps(isSeen: (String) -> Bool) -> Range<Int>? {
    firstUnseen(isSeen).map { (order == .any ? steps.count - 1 : $0)..<steps.count }
  }

  /// The events of the step for which these are unknown.
  package func missingEvents(isSeen: (String) -> Bool) -> [String] {
    firstUnseen(isSeen).map { steps[$0].anyOf.map(\.event) } ?? []
  }

  /// The first step that is not optional and none of whose events was seen.
  private func firstUnseen(_ isSeen: (String) -> Bool) -> Int? {
    steps.firstIndex { step in
      !step.isOptional && !step.anyOf.contains { isSeen($0.event) }
    }
  }
}
