internal import EventInput

/// Finds an event of which a property says which screen people see: nearly each of a person's
/// events has another value, and people meet the values in one order.
struct ScreenSearch {
  private struct Property: Hashable {
    var event: String
    var name: String
  }

  private struct Found {
    var order = PageOrder()
    var values: Set<String> = []
    var events = 0
    /// Of each person, how many distinct values.
    var distinct = 0
    var people = 0
  }

  /// The event, and the path of its page's name; `nil` where nothing looks like that.
  static func find(_ timelines: SampledTimelines) -> (event: String, path: String)? {
    let found = properties(timelines)
    let screens = found.filter { property, found in
      (2...PageOrder.maximumPages).contains(found.values.count)
        && found.events >= found.people * 3 / 2 && found.distinct * 10 >= found.events * 6
        && found.order.consistency >= 0.6
        && (found.values.count > 2 || hints(property.name) > 0)
    }
    let best = screens.min { left, right in
      let hints = (hints(left.key.name), hints(right.key.name))
      if hints.0 != hints.1 { return hints.0 > hints.1 }
      if left.value.people != right.value.people { return left.value.people > right.value.people }
      return (left.key.event, left.key.name) < (right.key.event, right.key.name)
    }
    return best.map { ($0.key.event, "properties.\($0.key.name)") }
  }

  private static func hints(_ name: String) -> Int {
    let name = name.lowercased()
    return ["page", "screen", "step", "name", "title"].filter { name.contains($0) }.count
  }

  private static func properties(_ timelines: SampledTimelines) -> [Property: Found] {
    var found: [Property: Found] = [:]
    for person in timelines.people {
      var views: [Property: FirstViews] = [:]
      for event in person {
        for (name, value) in event.properties
        where !name.hasPrefix("$") && Int(value) == nil && FlowDraft.isName(value) {
          let property = Property(event: event.event, name: name)
          guard (found[property]?.values.count ?? 0) <= PageOrder.maximumPages else { continue }
          found[property, default: Found()].values.insert(value)
          found[property]?.events += 1
          views[property, default: FirstViews()].add(value)
        }
      }
      for (property, views) in views {
        found[property]?.people += 1
        found[property]?.distinct += views.pages.count
        found[property]?.order.add(views.pages)
      }
    }
    return found
  }
}
