/// Ends that an attempt may have had in events of another flow (definitions 16).
extension AttemptEvaluator {
  /// Counts an abandoned attempt in whose window a completion of another flow lies, if the person
  /// has no start of such a flow before it: what the flow's name is read from may be a property of
  /// the app's own.
  mutating func findEndOfOtherFlow() {
    guard attempt.outcome == .abandoned else { return }
    for index in attemptRange.lowerBound..<windowEndIndex {
      guard isOfOtherFlow(index, .completed) else { continue }
      let isStarted = (0..<index).contains { isOfOtherFlow($0, .started) }
      if !isStarted {
        quality.see(endOfFlow: compiled.contextValue(walk[index].context, at: 0))
      }
      return
    }
  }

  /// Whether a fact has the name of an onboarding event, and is none of this flow.
  private func isOfOtherFlow(_ index: Int, _ kind: FactKind) -> Bool {
    let fact = walk[index]
    return fact.kind == .activity && compiled.actions[fact.action].kind == kind
      && !compiled.contexts[fact.context].belongs
  }
}
