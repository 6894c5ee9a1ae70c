package import FlowDefinition
internal import ReportText

/// What people call the parts of a flow that its file gives no title.
extension Flow {
  /// `app version`, `OS`: the name of a property of people.
  package func words(ofDimension id: String) -> String {
    let ids = dimensions.map(\.id)
    guard let index = ids.firstIndex(of: id) else { return PlainName.of(id) }
    return PlainName.of(ids) { Flow.knownDimensions[$0] ?? PlainName.of($0) }[index]
  }

  private static let knownDimensions = [
    "locale": "language", "os": "OS", "voice_over": "VoiceOver",
  ]

  /// `to paid`
  package func words(of funnel: CustomFunnel) -> String { PlainName.of(funnel.id) }
}

extension Friction {
  /// Its title, or its id in words.
  package var words: String { title == id ? PlainName.of(id).capitalizedFirst : title }
}

extension EventPattern {
  /// `purchase result (status: purchased, restored)`; a view of a page in the words of the flow.
  package func words(_ flow: Flow) -> String {
    if event == "onboarding_page_viewed", conditions.count == 1, let page = conditions.first,
      page.property == "page_name"
    {
      let titles = page.values.map { id in flow.stepIndex(id).map { flow.steps[$0].title } ?? id }
      return "\(titles.joined(separator: " or ")) viewed"
    }
    let name = PlainName.of(event)
    if conditions.isEmpty { return name.capitalizedFirst }
    let all = conditions.map { condition in
      let values = condition.values.map { PlainName.of($0) }.joined(separator: ", ")
      return "\(PlainName.of(condition.property)): \(values)"
    }
    return "\(name.capitalizedFirst) (\(all.joined(separator: "; ")))"
  }
}
