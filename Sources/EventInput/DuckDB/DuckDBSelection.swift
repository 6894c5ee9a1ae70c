/// The query for the rows of a table: its columns as places in an event, as those of CSV tables
/// are.
struct DuckDBSelection {
  private indirect enum Member {
    case value(String)
    case object([(name: String, member: Member)])
  }

  private var members: [(name: String, member: Member)] = []

  /// - Parameter table: what stands behind FROM.
  static func query(_ columns: [DuckDBColumn], from table: String) -> String {
    let whole = query(columns, from: table, value: \.value)
    // The system bounds what is handed to a program; few tables are so wide or so deep.
    if whole.utf8.count <= longestQuery { return whole }
    return query(columns, from: table, value: \.plainValue)
  }

  private static let longestQuery = 100_000

  private static func query(
    _ columns: [DuckDBColumn], from table: String, value: (DuckDBColumn) -> String
  ) -> String {
    var selection = DuckDBSelection()
    let layout = TableLayout(delimiter: 0, header: columns.map { Array($0.name.utf8) })
    // Names without dots first: what has one of them can't hold others.
    for depth in [true, false] {
      for (column, place) in zip(columns, layout.columns) where (place.count == 1) == depth {
        guard !place.isEmpty else { continue }
        if !put(value(column), place[...], into: &selection.members) {
          _ = put(value(column), [place.joined(separator: ".")], into: &selection.members)
        }
      }
    }
    let list = selection.members.map { member in
      "\(text(member.member)) AS \(DuckDBText.identifier(member.name))"
    }
    return "SELECT \(list.joined(separator: ", ")) FROM \(table)"
  }

  private static func put(
    _ value: String, _ place: ArraySlice<String>,
    into members: inout [(name: String, member: Member)]
  ) -> Bool {
    guard let name = place.first else { return false }
    let known = members.firstIndex { $0.name == name }
    if place.count == 1 {
      if known != nil { return false }
      members.append((name, .value(value)))
      return true
    }
    var inner: [(name: String, member: Member)] = []
    if let known {
      guard case .object(let found) = members[known].member else { return false }
      inner = found
    }
    guard put(value, place.dropFirst(), into: &inner) else { return false }
    if let known {
      members[known].member = .object(inner)
    } else {
      members.append((name, .object(inner)))
    }
    return true
  }

  private static func text(_ member: Member) -> String {
    switch member {
    case .value(let value): return value
    case .object(let members):
      let texts = members.map { "\(DuckDBText.literal($0.name)): \(text($0.member))" }
      return "{\(texts.joined(separator: ", "))}"
    }
  }
}
