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
      if index < cells.count { text += CSVTable.field(cells[index]) }
    }
    text += "\n"
  }

  private static func field(_ cell: Cell) -> String {
    switch cell {
    case .count(let count): count.map(String.init) ?? ""
    case .number(let value): value.flatMap(NumberText.format) ?? ""
    case .text(let raw): quoted(withoutFormula(SafeText.name(raw)))
    }
  }

  /// Spreadsheets run what begins like a formula; the apostrophe makes it text. The full-width
  /// forms are read the same in some languages.
  private static func withoutFormula(_ text: String) -> String {
    guard let first = text.unicodeScalars.first(where: { $0 != " " }) else { return text }
    let starters: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
    return starters.contains(first) ? "'" + text : text
  }

  private static func quoted(_ text: String) -> String {
    let special = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    guard special || text.first == " " || text.last == " " else { return text }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
