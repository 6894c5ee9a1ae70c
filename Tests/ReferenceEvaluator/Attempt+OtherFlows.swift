import FlowDefinition

/// Definitions 16, `ends_of_other_flows`.
extension Attempt {
  /// Whether it came to nothing, while its person completed another flow that they had not started.
  var endsOtherFlow: Bool {
    let windowEnd = entry + flow.windowMilliseconds
    guard outcome == .abandoned, windowEnd <= horizon else { return false }
    func isOther(_ placed: PlacedFact, _ name: String) -> Bool {
      placed.kind == .activity && placed.fact.name == name
    }
    let end = timeline.firstIndex {
      $0.time >= entry && $0.time <= windowEnd && isOther($0, "onboarding_completed")
    }
    return end.map { !timeline[..<$0].contains { isOther($0, "onboarding_started") } } ?? false
  }
}
