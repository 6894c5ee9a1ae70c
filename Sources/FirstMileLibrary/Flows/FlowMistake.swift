import FlowDefinition

/// What is wrong with a flow that was built in code.
enum FlowMistake {
  /// The mistakes in words; `nil` where there are none.
  ///
  /// The parser knows them all. So the flow is written as a flow file and read again, once it is
  /// sure that it can be written: that all indices lead somewhere.
  static func of(_ flow: Flow) -> String? {
    if let mistake = indexMistake(flow) ?? funnelMistake(flow) { return mistake }
    if flow.steps.isEmpty {
      return flow.funnels.isEmpty ? "a flow needs steps, or a funnel: it counts nothing" : nil
    }
    do {
      _ = try FlowParser.parse(flow.fileText, file: "the flow '\(flow.id)' as a flow file")
      return nil
    } catch {
      return error.description
    }
  }

  private static func indexMistake(_ flow: Flow) -> String? {
    let skip: [Int] = if case .leadsTo(let step) = flow.skip { [step] } else { [] }
    let steps =
      flow.lists.flatMap { $0 } + flow.steps.compactMap(\.branchOf) + skip
      + flow.goals.compactMap(\.ofViewedStep) + flow.friction.compactMap(\.step)
    if let index = steps.first(where: { !flow.steps.indices.contains($0) }) {
      return "there is no step with the index \(index): there are \(flow.steps.count)"
    }
    for anchor in flow.goals.map(\.anchor) + flow.retention.map(\.anchor) {
      if case .goal(let index) = anchor, !flow.goals.indices.contains(index) {
        return "there is no goal with the index \(index): there are \(flow.goals.count)"
      }
    }
    for experiment in flow.experiments
    where !experiment.variants.indices.contains(experiment.control) {
      return "the control of experiment '\(experiment.id)' is none of its variants: "
        + experiment.variants.map(\.id).joined(separator: ", ")
    }
    return nil
  }

  private static func funnelMistake(_ flow: Flow) -> String? {
    for (index, funnel) in flow.funnels.enumerated() {
      if funnel.steps.isEmpty { return "funnel '\(funnel.id)' has no steps" }
      if funnel.windowMilliseconds <= 0 { return "funnel '\(funnel.id)' needs a window above 0" }
      if flow.funnels[..<index].contains(where: { $0.id == funnel.id }) {
        return "two funnels are called '\(funnel.id)'"
      }
      let parts = funnel.steps.flatMap(\.anyOf)
      if parts.contains(where: \.event.isEmpty) || funnel.steps.contains(where: \.anyOf.isEmpty) {
        return "a step of funnel '\(funnel.id)' names no event"
      }
    }
    return nil
  }
}
