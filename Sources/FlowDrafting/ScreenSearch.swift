internal import EventInput

/// Finds an event of which a property says which screen people see: of its values some are met
/// once, early and in one order, as the screens of an onboarding are.
struct ScreenSearch {
  private struct Property: Hashable {
    var event: String
    var name: String
    var path: String

    /// How many words of its name are those of a screen.
    var hints: Int {
      let name = name.lowercased()
      return ["page", "screen", "step", "name", "title"].filter { name.contains($0) }.count
    }
  }

  /// How many properties are looked at closely.
  private static let maximumProperties = 16

  /// The event, and the path of its page's name; `nil` where nothing looks like that.
  static func find(_ timelines: SampledTimelines) -> (event: String, path: String)? {
    let found = candidates(timelines).filter { isScreen($0, timelines) }
    return found.first.map { ($0.event, $0.path) }
  }

  /// What tools add by themselves begins with a dollar: of that only the path of a web page, as
  /// PostHog's `$pageview` has it, says where people are.
  private static func isPossible(_ name: String) -> Bool {
    !name.hasPrefix("$") || name == "$pathname"
  }

  private static func isScreen(_ property: Property, _ timelines: SampledTimelines) -> Bool {
    let evidence = OrderEvidence(timelines) { event in
      guard event.event == property.event, let value = event.value(property.path),
        FlowDraft.isName(value)
      else { return nil }
      return EventKind(event: event.event, page: value)
    }
    return evidence.entries.count > (property.hints > 0 ? 1 : 2)
      && evidence.order.consistency >= 0.6
  }

  /// Properties with some values, of which people mostly have several; those called like a
  /// screen's name come first, then those of the most people.
  private static func candidates(_ timelines: SampledTimelines) -> [Property] {
    var values: [Property: Set<String>] = [:]
    var people: [Property: Int] = [:]
    var several: [Property: Int] = [:]
    for person in timelines.people {
      var own: [Property: Set<String>] = [:]
      for event in person where !NameHint.isAssignment(event.event) {
        for (name, value) in event.properties
        where isPossible(name) && Int(value) == nil && FlowDraft.isName(value) {
          let property = Property(
            event: event.event, name: name, path: event.path(ofProperty: name))
          guard (values[property]?.count ?? 0) <= PageOrder.maximumPages else { continue }
          values[property, default: []].insert(value)
          own[property, default: []].insert(value)
        }
      }
      for (property, values) in own {
        people[property, default: 0] += 1
        if values.count > 1 { several[property, default: 0] += 1 }
      }
    }
    let found = values.filter { property, values in
      (2...PageOrder.maximumPages).contains(values.count)
        && (several[property] ?? 0) * 2 >= (people[property] ?? 0)
    }.keys
    return found.sorted { left, right in
      if left.hints != right.hints { return left.hints > right.hints }
      let counts = (people[left] ?? 0, people[right] ?? 0)
      if counts.0 != counts.1 { return counts.0 > counts.1 }
      return (left.event, left.name) < (right.event, right.name)
    }.prefix(maximumProperties).map { $0 }
  }
}
