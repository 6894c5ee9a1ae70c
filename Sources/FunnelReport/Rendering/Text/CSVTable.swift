/// A table for spreadsheets: RFC 4180 quoting, lines end with LF, no cell can start a formula.
struct CSVTable {
  enum Cell {
    case text(String)
    case count(Int?)
    case number(Double?)

    static let empty = Cell.text("")
  }

  private(set) var text: String
  private let width: Int

  init(_ columns: [String]) {
    width = columns.count
    text = columns.joined(separator: ",") + "\n"
  }

  /// Adds a row; a row of another width than the header is filled up or cut.
  mutating func add(_ cells: [Cell]) {
    for index in 0..<width {
      if index > 0 { text += "," }
      if index < cells.count { append(cells[index]) }
    }
    text += "\n"
  }

  private mutating func append(_ cell: Cell) {
    switch cell {
    case .count(let count?): text += String(count)
    case .number(let value?): text += NumberText.format(value) ?? ""
    case .text(let raw): text += CSVText.cell(raw)
    case .count(nil), .number(nil): break
    }
  }
}
