import FlowDefinition

/// The flow's own steps as a funnel, where somebody wants it cut and names none: those that people
/// of every version and variant are shown.
struct FlowFunnel {
  let flow: Flow

  init(_ flow: Flow) { self.flow = flow }

  /// As it would be typed.
  var text: String {
    let lists = flow.lists
    let views = flow.defaultList.filter { step in lists.allSatisfy { $0.contains(step) } }
      .map { flow.steps[$0] }.filter { !$0.isOptional && $0.branchOf == nil }
      .map { "onboarding_page_viewed[page_name=\(FlowFunnel.quoted($0.id))]" }
    return (views + ["onboarding_completed"]).joined(separator: " > ")
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "") + "\""
  }
}
