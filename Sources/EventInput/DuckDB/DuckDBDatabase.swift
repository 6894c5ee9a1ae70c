/// The tables and views of a database, to find the one with the events.
struct DuckDBDatabase {
  struct Table: Equatable {
    var schema: String
    var table: String
    var columns: [DuckDBColumn]

    /// As it stands behind FROM.
    var name: String { "\(DuckDBText.identifier(schema)).\(DuckDBText.identifier(table))" }

    /// As people read it.
    var title: String { schema == "main" ? table : "\(schema).\(table)" }

    var hasEvents: Bool { EventNames.areThere(in: columns.map(\.name)) }
  }

  private var tables: [Table] = []

  /// - Parameter columns: of all tables, those of each together.
  init(_ columns: [DuckDBColumn]) {
    for column in columns {
      let (schema, table) = (column.schema ?? "", column.table ?? "")
      if tables.last?.schema == schema && tables.last?.table == table {
        tables[tables.count - 1].columns.append(column)
      } else {
        tables.append(Table(schema: schema, table: table, columns: [column]))
      }
    }
  }

  /// The one called `events`, or else the only one whose columns are those of events.
  var events: Table? {
    let named = tables.filter { $0.table.lowercased() == "events" }
    let candidates = named.isEmpty ? tables.filter(\.hasEvents) : named
    return candidates.count == 1 ? candidates[0] : nil
  }

  /// Why none is read, and what to do.
  var advice: String {
    if tables.isEmpty { return "without a table" }
    let shown = tables.prefix(20).map { InputPath.shown($0.title) }.joined(separator: ", ")
    let rest = tables.count > 20 ? " and \(tables.count - 20) more" : ""
    let candidates = tables.count(where: \.hasEvents)
    return "in which \(candidates == 0 ? "no table has" : "several tables have") the columns of "
      + "events (found: \(shown)\(rest)); make a view named events: "
      + "CREATE VIEW events AS FROM the_table"
  }
}
