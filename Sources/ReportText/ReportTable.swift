/// A table of a report with the kinds of its columns, for other forms than CSV.
public struct ReportTable: Sendable {
  public enum Kind: Sendable, Hashable {
    case text, integer, real
  }

  public struct Column: Sendable, Hashable {
    public let name: String
    public let kind: Kind
  }

  /// As the CSV file is called without its ending: `steps`.
  public let name: String
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
