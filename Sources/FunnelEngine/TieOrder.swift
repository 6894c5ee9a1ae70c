internal import EventInput
internal import Timelines

extension AttemptEvaluator {
  mutating func orderTies() {
    let order = TieOrder(compiled: compiled)
    var start = 0
    while start < walk.count {
      var end = start + 1
      while end < walk.count && walk[end].timeMilliseconds == walk[start].timeMilliseconds {
        end += 1
      }
      if end - start > 1 { walk[start..<end].sort(by: order.isBefore) }
      start = end
    }
  }
}

/// The order of facts at one millisecond (definitions 2).
private struct TieOrder {
  let compiled: CompiledFlow

  func isBefore(_ left: WalkFact, _ right: WalkFact) -> Bool {
    if left.kind != right.kind { return left.kind < right.kind }
    let orders = (declaredOrder(left), declaredOrder(right))
    if orders.0 != orders.1 { return orders.0 < orders.1 }
    if left.action != right.action {
      return actionNames(left).lexicographicallyPrecedes(actionNames(right)) {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
    }
    return contextNames(left).lexicographicallyPrecedes(contextNames(right)) {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }

  private func declaredOrder(_ fact: WalkFact) -> Int16 {
    switch fact.kind {
    case .viewed, .stepSkipped, .skipped: fact.page < 0 ? 1000 : fact.page
    // An onboarding event of another flow is activity here, whatever its name would mean.
    case .activity: 0
    default: compiled.actions[fact.action].order
    }
  }

  private func actionNames(_ fact: WalkFact) -> [String] {
    compiled.tables.action(fact.action).enumerated().map { place, value in
      value == 0 ? "" : compiled.tables.name(ofActionValue: value, at: place)
    }
  }

  private func contextNames(_ fact: WalkFact) -> [String] {
    compiled.tables.context(fact.context).enumerated().map { place, value in
      value == 0 ? "" : compiled.tables.name(ofContextValue: value, at: place)
    }
  }
}
