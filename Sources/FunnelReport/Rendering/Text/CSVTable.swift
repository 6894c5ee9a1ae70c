/// A table for spreadsheets: RFC 4180 quoting, lines end with LF, no cell can start a formula.
struct CSVTable {
  enum Cell {
    case text(String)
    case count(Int?)
    case number(Double?, digits: Int = 6)

    static let empty = Cell.text("")
  }

  /// The first cells of rows that begin alike, written once.
  struct Beginning {
    fileprivate let width: Int
    fileprivate let text: TextBytes

    init(_ cells: [Cell]) {
      var text = TextBytes()
      for (index, cell) in cells.enumerated() {
        if index > 0 { text.add(",") }
        CSVTable.append(cell, to: &text)
      }
      width = cells.count
      self.text = text
    }
  }

  private(set) var content = TextBytes()
  private let width: Int

  var text: String { content.text }

  init(_ columns: [String]) {
    width = columns.count
    content.add(columns.joined(separator: ","))
    content.add("\n")
  }

  /// Makes room for some rows more.
  mutating func reserve(rows: Int) { content.reserve(rows * width * 9) }

  /// Adds a row; a row of another width than the header is filled up or cut.
  mutating func add(_ cells: [Cell]) { finish(cells, from: 0) }

  /// Adds a row of the beginning, which is narrower than the table, and further cells.
  mutating func add(_ beginning: Beginning, _ cells: [Cell]) {
    content.add(beginning.text)
    finish(cells, from: beginning.width)
  }

  private mutating func finish(_ cells: [Cell], from start: Int) {
    for index in start..<width {
      if index > 0 { content.add(",") }
      if index - start < cells.count { CSVTable.append(cells[index - start], to: &content) }
    }
    content.add("\n")
  }

  private static func append(_ cell: Cell, to content: inout TextBytes) {
    switch cell {
    case .count(let count?): content.add(count)
    case .number(let value?, let digits):
      NumberText.write(value, digits: digits, to: &content)
    case .text(let raw): content.add(CSVText.cell(raw))
    case .count(nil), .number(nil, _): break
    }
  }
}
