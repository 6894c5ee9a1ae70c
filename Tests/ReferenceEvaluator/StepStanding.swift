import FlowDefinition

/// How a person fared with each step of their own list (definitions 7).
struct StepStanding {
  let attempt: Attempt
  /// The person's own list.
  let list: [Int]

  private var views: [PlacedFact] {
    attempt.onboarding.filter { $0.kind == .viewed }
  }

  func position(_ step: Int) -> Int? { list.firstIndex(of: step) }

  func viewed(_ step: Int) -> Bool {
    position(step) != nil && views.contains { $0.page == .step(step) }
  }

  func viewedLater(than step: Int) -> Bool {
    guard let position = position(step) else { return false }
    return list[(position + 1)...].contains { viewed($0) }
  }

  func advanced(_ step: Int) -> Bool {
    viewed(step) && (attempt.isFinished || viewedLater(than: step))
  }

  func leftHere(_ step: Int) -> Bool {
    viewed(step) && !attempt.isFinished && !viewedLater(than: step)
  }

  var leftAtEntry: Bool {
    !attempt.isFinished && !list.contains { viewed($0) }
  }

  func bypassed(_ step: Int) -> Bool {
    position(step) != nil && !viewed(step) && (attempt.isFinished || viewedLater(than: step))
  }

  func wentBack(_ step: Int) -> Bool {
    guard let position = position(step) else { return false }
    var sawLater = false
    for view in views {
      guard let page = view.page.step, let place = self.position(page) else { continue }
      if place > position { sawLater = true }
      // "Again": a first view after a later step is no going back.
      if page == step, sawLater, hasEarlierView(of: step, than: view) { return true }
    }
    return false
  }

  private func hasEarlierView(of step: Int, than view: PlacedFact) -> Bool {
    views.contains { $0.page == .step(step) && $0 < view }
  }

  func declined(_ step: Int) -> Bool {
    viewed(step) && attempt.facts.contains { $0.kind == .stepSkipped && $0.page == .step(step) }
  }

  /// Views in the attempt of declared steps that the list does not hold.
  var viewsOutsideList: Int {
    views.filter { $0.page.step.map { position($0) == nil } ?? false }.count
  }
}
