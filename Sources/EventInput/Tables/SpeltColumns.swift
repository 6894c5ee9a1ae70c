/// Columns that are called as a table's usual ones are, but for capitals, blanks and other marks:
/// `Event Name`, `User_ID`, `EventTimestamp`, `event.time`.
struct SpeltColumns: Hashable {
  /// The columns by what they hold; empty where the usual names are there.
  private(set) var places: [[String]: [String]] = [:]
  /// Whether some of them, with usual ones beside, name events, times and people.
  private(set) var isOfEvents = false

  init() {}

  /// - Parameter columns: as places in an event.
  init(_ columns: [[String]]) {
    let all = Set(columns)
    let spelt = columns.map { Self.plain($0.joined()) }
    for (field, places) in EventFormat.table.places {
      // A `name` by itself is one of a customer or a product.
      let usual = places.filter { $0 != ["name"] }
      guard all.isDisjoint(with: usual) else { continue }
      let names = usual.filter { $0.count == 1 }.map { Self.plain($0[0]) }
      guard let column = names.lazy.compactMap({ spelt.firstIndex(of: $0) }).first else { continue }
      self.places[field] = columns[column]
    }
    func has(_ field: String) -> Bool {
      let usual = EventFormat.table.places[[field], default: []].filter { $0 != ["name"] }
      return places[[field]] != nil || !all.isDisjoint(with: usual)
    }
    isOfEvents =
      !places.isEmpty && has("event") && has("timestamp") && (has("user_id") || has("device_id"))
  }

  /// The format's places with these among them: before a `name`, behind all others.
  func added(to format: EventFormat) -> EventFormat {
    var format = format
    for (field, column) in places {
      let usual = format.places[field, default: []]
      format.places[field] =
        usual.filter { $0 != ["name"] } + [column] + usual.filter { $0 == ["name"] }
    }
    return format
  }

  private static func plain(_ name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }
}
