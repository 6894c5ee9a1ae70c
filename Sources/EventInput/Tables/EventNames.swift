/// The names of columns by which a table of events is known among other tables.
enum EventNames {
  /// Where the name of an event stands. A `name` alone is one of a customer or a product, too.
  static let events: Set<String> = [
    "event", "event_name", "event_type", "eventname", "event_text",
    "event_table_name",
  ]
  static let times: Set<String> = [
    "timestamp", "@timestamp", "time", "event_time", "event_timestamp", "received_at",
    "derived_tstamp",
    "collector_tstamp",
  ]

  /// Whether these are the columns of events.
  static func areThere(in columns: [String]) -> Bool {
    if SpeltColumns(columns.map { [$0] }).isOfEvents { return true }
    let names = Set(columns.map { $0.lowercased() })
    if names.isDisjoint(with: times) { return false }
    return !names.isDisjoint(with: events) || names.isSuperset(of: ["name", "distinct_id"])
      || SegmentTable(names.map { [$0] }) != nil
  }
}
