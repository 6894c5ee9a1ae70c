import FunnelReport

/// A line of a table for other programs: RFC 4180 quoting, no cell can start a formula.
enum CSVLine {
  static func text(_ cells: [String]) -> String {
    cells.map { quoted(withoutFormula(SafeText.name($0))) }.joined(separator: ",") + "\n"
  }

  private static func withoutFormula(_ text: String) -> String {
    guard let first = text.first(where: { $0 != " " }) else { return text }
    return "=+-@＝＋－＠".contains(first) ? "'" + text : text
  }

  private static func quoted(_ text: String) -> String {
    guard text.contains(where: { "\",\n\r".contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
