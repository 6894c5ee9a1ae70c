/// What kind of table of Segment's and RudderStack's warehouse schema has these columns.
///
/// Each event has a table of its own, `tracks` has all of them once more without their properties,
/// and other calls than `track` have tables without a column for the event's name. (Segment,
/// "Warehouse Schemas"; RudderStack, "Warehouse Schema": docs/formats.md.)
struct SegmentTable {
  /// The name of the calls; `nil` where a column has it.
  var event: String?
  /// Traits that `identify` calls have beside a name.
  private static let traits: Set<String> = [
    "email", "phone", "first_name", "last_name", "username", "avatar", "created_at", "plan",
  ]

  init?(_ columns: [[String]]) {
    let names = Set(columns.map { $0.joined(separator: "_") })
    guard names.isSuperset(of: ["id", "received_at", "anonymous_id"]),
      names.contains("timestamp") || names.contains("original_timestamp")
    else { return nil }
    if EventNames.events.isDisjoint(with: names) {
      event =
        names.contains("group_id")
        ? "group"
        : names.contains("previous_id")
          ? "alias"
          : names.contains("url") || names.contains("path")
            ? "page"
            : names.contains("name") && names.isDisjoint(with: Self.traits) ? "screen" : "identify"
    }
  }
}
