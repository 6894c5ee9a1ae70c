/// What kind of table of Segment's and RudderStack's warehouse schema has these columns.
///
/// Each event has a table of its own, `tracks` has all of them once more without their properties,
/// and other calls than `track` have tables without a column for the event's name. (Segment,
/// "Warehouse Schemas"; RudderStack, "Warehouse Schema": docs/formats.md.)
struct SegmentTable {
  /// The name of the calls; `nil` where a column has it.
  var event: String?

  /// Calls other than `track`, by what their rows have.
  struct Call {
    let name: StaticString
    /// One of these is there.
    let columns: [String]
    /// None of these is.
    var others: [String] = []
  }

  /// In the order in which they are looked for; a row of none of them is an `identify`.
  static let calls = [
    Call(name: "group", columns: ["group_id"]),
    Call(name: "alias", columns: ["previous_id"]),
    Call(name: "page", columns: ["url", "path"]),
    // Traits that `identify` calls have beside a name.
    Call(
      name: "screen", columns: ["name"],
      others: [
        "email", "phone", "first_name", "last_name", "username", "avatar", "created_at", "plan",
      ]),
  ]
  static let otherCall: StaticString = "identify"

  init?(_ columns: [[String]]) {
    let names = Set(columns.map { $0.joined(separator: "_") })
    guard names.isSuperset(of: ["id", "received_at", "anonymous_id"]),
      names.contains("timestamp") || names.contains("original_timestamp")
    else { return nil }
    if EventNames.events.isDisjoint(with: names) {
      event = "\(Self.call { names.contains($0) })"
    }
  }

  /// The name of a call, by which of the columns are there.
  static func call(_ isThere: (String) -> Bool) -> StaticString {
    let call = calls.first {
      $0.columns.contains(where: isThere) && !$0.others.contains(where: isThere)
    }
    return call?.name ?? otherCall
  }
}
