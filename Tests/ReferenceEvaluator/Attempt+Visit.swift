import FlowDefinition

/// The visit in which the attempt came to its end (definitions 11.2).
extension Attempt {
  /// When it ends: chained facts, each at most 30 minutes after the one before.
  func visitEnd() -> Int64 {
    let inWindow = timeline.filter { $0.time >= entry && $0.time <= windowEnd }
    let ownTimes = inWindow.filter(\.isOnboarding).map(\.time)
    var end = outcomeTime ?? ownTimes.max() ?? entry
    for placed in inWindow where placed.time >= end {
      if flow.notActivity.contains(placed.fact.name) { continue }
      if placed.time - end > Self.pause { break }
      end = placed.time
    }
    return end
  }
}
