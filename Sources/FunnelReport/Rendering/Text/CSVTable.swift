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
    case .text(let raw):
      text +=
        CSVTable.isPlain(raw)
        ? raw : CSVTable.quoted(CSVTable.withoutFormula(SafeText.name(raw)))
    case .count(nil), .number(nil): break
    }
  }

  /// A short name of letters, digits and marks that mean nothing to a spreadsheet: as most are.
  private static func isPlain(_ text: String) -> Bool {
    guard text.utf8.count <= SafeText.maximumCharacters, let first = text.utf8.first else {
      return false
    }
    let isStarter = first == 0x3D || first == 0x2B || first == 0x2D || first == 0x40
    return !isStarter
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x2C }
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
