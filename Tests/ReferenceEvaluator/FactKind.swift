/// What a fact is to the flow, in the order that decides ties (definitions 2).
enum FactKind: Int {
  case started, prompted, viewed, stepSkipped, result, skipped, completed, activity

  init(name: String, belongs: Bool) {
    guard belongs else {
      self = .activity
      return
    }
    switch name {
    case "onboarding_started": self = .started
    case "permission_prompted": self = .prompted
    case "onboarding_page_viewed": self = .viewed
    case "onboarding_step_skipped": self = .stepSkipped
    case "permission_result": self = .result
    case "onboarding_skipped": self = .skipped
    case "onboarding_completed": self = .completed
    default: self = .activity
    }
  }
}

/// What a page in an event turned out to be (definitions 4).
enum PageReading: Hashable {
  case none
  /// An index into the flow's steps.
  case step(Int)
  case undeclared
  case ambiguous

  var step: Int? {
    if case .step(let index) = self { index } else { nil }
  }
}
