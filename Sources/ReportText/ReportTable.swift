/// A table of a report with the kinds of its columns, for other forms than CSV.
public struct ReportTable: Sendable {
  /// What a column holds: names, whole numbers, or other numbers.
  public enum Kind: Sendable, Hashable {
    /// Names and anything else that isn't a number, also in columns that hold nothing.
    case text
    /// Counts.
    case integer
    /// Rates, seconds and other numbers, whole ones among them.
    case real
  }

  /// One column of a table.
  public struct Column: Sendable, Hashable {
    /// The head of the column in the CSV file; with `_2` where databases would take it for another.
    public let name: String
    /// What its cells hold; empty ones apart.
    public let kind: Kind
  }

  /// As the CSV file is called without its ending: `steps`.
  public let name: String
  /// The columns, in the order of the cells.
  public let columns: [Column]
  /// The cells as they stand in the CSV file; `nil` where there is nothing.
  public let rows: [[String?]]
  /// The CSV file.
  public let csv: [UInt8]

  package init(_ name: String, _ table: CSVTable) {
    self.name = name
    csv = table.content.bytes
    var lines = CSVReader(csv).lines
    let names = lines.isEmpty ? [] : lines.removeFirst()
    // Databases take names that differ in case alone for one.
    var seen: Set<String> = []
    columns = zip(names, table.kinds).map { name, kinds in
      var own = name
      while !seen.insert(own.lowercased()).inserted { own += "_2" }
      return Column(name: own, kind: kinds.kind)
    }
    rows = lines.map { $0.map { $0.isEmpty ? nil : $0 } }
  }
}
