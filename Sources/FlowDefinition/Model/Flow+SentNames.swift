extension Flow {
  /// Why no event has a name that `events` replaces, and how such events are asked for; `nil` of a
  /// name that events may have.
  ///
  /// A pattern with the name as it was sent would match nothing for good.
  public func mistake(inEventName name: String) -> String? {
    guard let read = eventNames.first(where: { $0.from == name })?.to, read != name,
      !eventNames.contains(where: { $0.to == name }),
      !fields.contains(where: { field in
        field.field == "event" && field.values.contains { $0.to == name }
      })
    else { return nil }
    let pages = fields.first { $0.field == "page_name" && $0.path == "event" }?.values ?? []
    let page = read == "onboarding_page_viewed" ? pages.first { $0.from == name }?.to : nil
    let question = page.map { "\(read)[page_name=\(Flow.quoted($0))]" } ?? read
    return "'\(name)' is read as '\(read)' ('events' in the flow file), so no event is called so: "
      + "ask for \(question)"
  }

  private static func quoted(_ value: String) -> String {
    value.contains { "[],|".contains($0) } ? "\"\(value)\"" : value
  }
}
