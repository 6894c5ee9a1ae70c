internal import FlowDefinition

/// People's ways between steps (definitions 7): each way counts once a person.
extension AttemptEvaluator {
  mutating func forgetTransitions() {
    for index in attempt.transitions { attempt.transitionBits[Int(index) >> 6] = 0 }
    attempt.transitions.removeAll(keepingCapacity: true)
  }

  /// Notes the way to a step that is viewed after another one, or after coming back.
  mutating func noteMove(from: Int, to step: Int, isReturn: Bool) {
    if from == step && !isReturn { return }
    noteTransition(compiled.transitions.move(from: from, to: step, isReturn: isReturn))
  }

  /// Notes how the way through the flow ended.
  mutating func noteEnd(from: Int) {
    let end: TransitionLayout.End =
      switch attempt.outcome {
      case .finished, .finishedAfterSkipping: .finished
      case .skipped: .skipped
      case .abandoned, .open: .abandoned
      }
    noteTransition(compiled.transitions.end(from: from, end))
  }

  private mutating func noteTransition(_ index: Int) {
    let bit: UInt64 = 1 << UInt64(index & 63)
    if attempt.transitionBits[index >> 6] & bit != 0 { return }
    attempt.transitionBits[index >> 6] |= bit
    attempt.transitions.append(Int32(truncatingIfNeeded: index))
  }
}
