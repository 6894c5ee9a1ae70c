/// Names as cells of a table for other programs: RFC 4180 quoting, no cell can start a formula.
public enum CSVText {
  /// A line of cells, with its line feed.
  public static func line(_ cells: [String]) -> String {
    cells.map(cell).joined(separator: ",") + "\n"
  }

  package static func cell(_ raw: String) -> String {
    isPlain(raw) ? raw : quoted(withoutFormula(SafeText.name(raw)))
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
    // By scalars: with a mark on top of it a quote is another character, and still ends the cell.
    var inner = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "\"" { inner.append(scalar) }
      inner.append(scalar)
    }
    return "\"" + String(inner) + "\""
  }
}
