/// Tables that say which ids are one person's: no events, and not read, but without them people may
/// count more than once.
enum IdentityTable {
  private static let kinds: [(columns: Set<String>, what: String)] = [
    (["distinct_id", "resolved_distinct_id"], "Mixpanel's"),
    (["from_user_id", "to_user_id"], "Heap's"),
    (["distinct_id", "person_id"], "PostHog's"),
  ]

  /// What a table or a line of JSON with such columns is; `nil` for any other.
  static func kind(_ columns: [[String]]) -> String? {
    let names = Set(columns.compactMap { $0.count == 1 ? $0[0].lowercased() : nil })
    return kinds.first { names.isSuperset(of: $0.columns) }.map {
      "\($0.what) table of ids that are one person's, which is not read: give the events the "
        + "person's id, see docs/formats.md#ids"
    }
  }
}
