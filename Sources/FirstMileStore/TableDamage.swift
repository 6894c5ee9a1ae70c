/// A table of a store is not what was written; `FactStore.mapped` says of which store.
enum TableDamage: Error, CustomStringConvertible {
  /// A row has other values; its number, where rows have one.
  case row(String, Int64?)
  /// Rows are missing, or there that were not written.
  case rows(String)

  var description: String {
    switch self {
    case .row(let table, let id?): "row \(id) of the table '\(table)' is not what was written"
    case .row(let table, nil): "a row of the table '\(table)' is not what was written"
    case .rows(let table): "the rows of the table '\(table)' are not those that were written"
    }
  }
}
