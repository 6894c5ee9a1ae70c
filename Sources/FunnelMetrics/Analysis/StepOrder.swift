package import FlowDefinition

/// The steps of all of a flow's lists in one order: that of the newest list, in which steps of
/// other lists stand before the step that they lead to there.
package enum StepOrder {
  package static func all(_ flow: Flow) -> [Int] {
    var order = flow.defaultList
    for list in flow.lists {
      for (place, step) in list.enumerated() where !order.contains(step) {
        let next = list[(place + 1)...].first(where: order.contains)
        order.insert(step, at: next.flatMap { order.firstIndex(of: $0) } ?? order.count)
      }
    }
    return order + flow.steps.indices.filter { !order.contains($0) }
  }
}
