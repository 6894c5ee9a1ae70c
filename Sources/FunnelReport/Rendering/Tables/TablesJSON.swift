internal import FlowDefinition
internal import ReportText

/// `tables.json`: the tables of the folder, an object a row, without the cells that are empty.
struct TablesJSON {
  private let flow: Flow
  private let tables: [ReportTable]

  init(_ flow: Flow, _ tables: [ReportTable]) {
    self.flow = flow
    self.tables = tables
  }

  func content() -> TextBytes {
    var text = TextBytes()
    text.add("{\"schema\":\"firstmile.tables/1\",\"flow\":")
    text.add(JSONText.string(flow.id))
    text.add(",\"tables\":{")
    for (place, table) in tables.enumerated() {
      text.add(place == 0 ? "\n" : ",\n")
      text.add("\(JSONText.string(table.name)):[")
      let keys = table.columns.map { JSONText.string($0.name) + ":" }
      for (number, row) in table.rows.enumerated() {
        text.add(number == 0 ? "\n{" : ",\n{")
        var isFirst = true
        for (column, cell) in row.enumerated() where column < keys.count {
          guard let cell else { continue }
          if !isFirst { text.add(",") }
          isFirst = false
          text.add(keys[column])
          text.add(table.columns[column].kind == .text ? JSONText.string(cell) : cell)
        }
        text.add("}")
      }
      text.add("\n]")
    }
    text.add("\n}}\n")
    return text
  }
}
