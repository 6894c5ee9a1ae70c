/// Columns that are called as a table's usual ones are, but for capitals, blanks and other marks:
/// `Event Name`, `User_ID`, `EventTimestamp`, `event.time`.
struct SpeltColumns: Hashable {
  /// The columns by what they hold; empty where the usual names are there.
  private(set) var places: [[String]: [String]] = [:]
  /// Whether some of them, with usual ones beside, name events, times and people.
  private(set) var isOfEvents = false

  /// Columns that name an event only where no other does: a `name` is one of a customer or a
  /// product as well, and all events of an app are of Adjust's kind `event`.
  static let vague: Set<[String]> = [["name"], ["activity_kind"]]

  /// What events have beside those, by the columns' usual names.
  private static let others: [[String]: [[String]]] = [
    ["properties", "page_name"]: [["page_name"], ["properties", "page_name"]],
    ["experiment"]: [["experiment"]], ["variant"]: [["variant"]],
  ]

  init() {}

  /// - Parameter columns: as places in an event.
  init(_ columns: [[String]]) {
    let all = Set(columns)
    let spelt = columns.map { Self.plain($0.joined()) }
    for (field, places) in EventFormat.table.places.merging(Self.others, uniquingKeysWith: { $1 }) {
      let usual = places.filter { !Self.vague.contains($0) }
      guard all.isDisjoint(with: usual) else { continue }
      // An `Ad ID` is an advertisement's, and no `adid`.
      let names = usual.filter { $0.count == 1 && $0 != ["adid"] }.map { Self.plain($0[0]) }
      guard let column = names.lazy.compactMap({ spelt.firstIndex(of: $0) }).first else { continue }
      self.places[field] = columns[column]
    }
    // A product has variants, too.
    if places[["experiment"]] == nil && !all.contains(["experiment"]) { places[["variant"]] = nil }
    // As of tables with the usual names: customers and tickets were created at some time, too.
    func has(_ names: Set<String>) -> Bool { !Set(names.map(Self.plain)).isDisjoint(with: spelt) }
    let people = ["user_id", "device_id"].contains { field in
      places[[field]] != nil
        || !all.isDisjoint(with: EventFormat.table.places[[field], default: []])
    }
    isOfEvents = !places.isEmpty && has(EventNames.events) && has(EventNames.times) && people
  }

  private static func plain(_ name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }
}
