/// Finds the tables that have every call of other tables once more, without its properties:
/// Segment's and RudderStack's `tracks` beside the events' own tables. Read together, each event
/// would count twice, and the poorer copy as another one.
struct RepeatedCalls {
  /// What a table of all events is beside the others.
  enum Verdict: Equatable {
    /// None of its events has a table of its own.
    case apart
    /// All of them have.
    case copy
    /// Some have; examples of both.
    case mixed(own: String, missing: String)
  }

  private(set) var tablesOfAll: [InputSource] = []
  private var eventsWithTables: Set<String> = []

  /// Takes note of a table of calls.
  ///
  /// - Parameter events: names of events in its beginning.
  mutating func note(_ source: InputSource, events: Set<String>, isOfAllEvents: Bool) {
    if !isOfAllEvents {
      eventsWithTables.formUnion(events)
    } else if !tablesOfAll.contains(source) {
      tablesOfAll.append(source)
    }
  }

  /// - Parameter events: all names of events in a table of all.
  func verdict(_ events: Set<String>) -> Verdict {
    let own = events.intersection(eventsWithTables).sorted()
    let missing = events.subtracting(eventsWithTables).sorted()
    guard let first = own.first else { return .apart }
    return missing.first.map { .mixed(own: first, missing: $0) } ?? .copy
  }

  /// What to do about a table that is a copy in part.
  static func message(own: String, missing: String) -> String {
    "has events that another table has too, with their properties, such as '\(own)', and events "
      + "that have no table of their own here, such as '\(missing)': add the missing tables, or "
      + "name those that are to be read"
  }
}
