/// How a table of events (CSV, TSV) is written: what stands between values, and its columns.
struct TableLayout: Equatable {
  var delimiter: UInt8
  var quoting = TableQuoting.doubled
  /// The columns' names as places in an event, in the columns' order; empty for those without a
  /// name and for second ones of a name.
  var columns: [[String]]
  /// The names as they are in the file; empty where it has none.
  var header: [[UInt8]] = []
  /// Whether a blank stands behind each delimiter, as people write lists.
  var hasBlanks = false
  /// The name of all its events, where no column has one.
  var event: String?

  /// Of a header.
  init(delimiter: UInt8, header: [[UInt8]]) {
    self.delimiter = delimiter
    let blank = UInt8(ascii: " ")
    hasBlanks = header.count > 1 && header.dropFirst().allSatisfy { $0.first == blank }
    self.header = hasBlanks ? header.map { Array($0.drop { $0 == blank }) } : header
    var seen: Set<[String]> = []
    let names = header.map { TableLayout.name($0) }
    // Snowflake's names are in capitals, and Oracle's, beside which AWS DMS puts a name of its own.
    let areCapitals = names.allSatisfy { $0 == $0.uppercased() || $0 == "Op" }
    let places = names.map { name in
      let isOperation = name.uppercased() == "OP"
      return TableLayout.place(
        areCapitals ? (isOperation ? "Op" : name.lowercased()) : name)
    }
    let all = Set(places)
    columns = places.map { place in
      // Where a column holds the whole object, its members stand beside it under joined names,
      // whichever column comes first.
      let isInside = place.indices.dropFirst().contains { all.contains(Array(place[..<$0])) }
      let place = isInside ? [place.joined(separator: ".")] : place
      return seen.insert(place).inserted ? place : []
    }
    event = SegmentTable(columns)?.event
  }

  /// The layout of the rows behind one that is a further header, with columns in another order or
  /// some other ones; `nil` for any other row. Half of a header's values, the first one among them,
  /// are names of this one.
  func following(_ row: TableRow) -> TableLayout? {
    func isName(_ value: ArraySlice<UInt8>) -> Bool {
      !value.isEmpty && header.contains { $0.elementsEqual(value) }
    }
    guard row.count > 1, isName(row.value(0)) else { return nil }
    let names = (0..<row.count).count { isName(row.value($0)) }
    guard names >= 2, names * 2 >= row.count else { return nil }
    var other = TableLayout(delimiter: delimiter, header: row.values)
    other.quoting = quoting
    other.hasBlanks = hasBlanks
    return other
  }

  /// Of columns that are known, in a file without a header.
  init(delimiter: UInt8, columns: [String]) {
    self.delimiter = delimiter
    self.columns = columns.map { [$0] }
    quoting = .none
  }

  /// A column's name; Adjust's stand in braces, as its placeholders do: `{event_name}`.
  private static func name(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self).trimmingSpace
    guard text.count > 2, text.hasPrefix("{"), text.hasSuffix("}") else { return text }
    let inner = text.dropFirst().dropLast()
    let isName = inner.utf8.allSatisfy {
      $0 &- UInt8(ascii: "0") < 10 || ($0 | 0x20) &- UInt8(ascii: "a") < 26
        || $0 == UInt8(ascii: "_")
    }
    return isName ? String(inner) : text
  }

  /// Whether a text that begins like an object begins with a column's name in braces.
  static func beginsInBraces(_ bytes: some Collection<UInt8>) -> Bool {
    let line = bytes.prefix(200).drop { $0 <= 0x20 }
    guard let end = line.firstIndex(of: UInt8(ascii: "}")) else { return false }
    let first = Array(line[...end])
    let next = line[line.index(after: end)...].first
    return name(first).count == first.count - 2 && next.map { ",;\t".utf8.contains($0) } == true
  }

  /// A name with dots is a place inside of objects; PostHog's begin with an asterisk.
  private static func place(_ name: String) -> [String] {
    var text = name
    if text.hasPrefix("*.") { text.removeFirst(2) }
    if text.isEmpty { return [] }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.contains("") || parts.count > Self.maximumDepth ? [text] : parts
  }

  /// Names with more dots are no places inside of objects.
  private static let maximumDepth = 16

  /// Names that columns of events often have: two of them make a header.
  private static let usualNames: Set<String> = [
    "event", "event_name", "event_type", "eventname", "event_table_name", "name", "timestamp",
    "time", "event_time", "@timestamp", "eventtime", "event_timestamp", "received_at", "created_at",
    "user_id", "userid", "device_id",
    "distinct_id", "anonymous_id", "uuid", "session_id", "properties", "event_properties",
  ]

  /// How many columns have a name that is usual for events.
  var usualCount: Int {
    columns.count { column in
      column.last.map { Self.usualNames.contains($0.lowercased()) } ?? false
    }
  }

  /// Whether the columns' names can't be the values of an event: each begins like a name, and no
  /// time is written without colons and commas behind such a beginning.
  var isOfNames: Bool {
    !header.isEmpty
      && header.allSatisfy { name in
        name.first.map { $0 > UInt8(ascii: " ") && $0 &- 0x30 >= 10 } ?? false
          && name.allSatisfy { $0 >= 0x20 && !":,;{}[]\"'@".utf8.contains($0) }
      }
  }

  /// Whether this may be the first row of a table: names, not values.
  static func isHeader(_ row: [[UInt8]]) -> Bool {
    let names = row.map { TableLayout.name($0) }
    let named = names.filter { !$0.isEmpty }
    func mayBeName(_ name: String) -> Bool {
      name.utf8.count <= 200 && !name.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
    // As in text, in JSON and in pages; pandas calls a column without a name `Unnamed: 0`.
    let odd = named.count { name in
      name.contains(": ") || name.contains { "{}<>\"=".contains($0) }
    }
    let figures = named.count { $0.utf8.first.map { $0 &- 0x30 < 10 } ?? false }
    return named.count >= 2 && named.allSatisfy(mayBeName) && figures * 3 < named.count
      && odd * 4 <= named.count && Set(named).count * 2 > named.count
  }
}

extension String {
  fileprivate var trimmingSpace: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
