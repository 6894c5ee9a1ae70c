/// A table for spreadsheets: RFC 4180 quoting, lines end with LF, no cell can start a formula.
package struct CSVTable {
  package enum Cell {
    case text(String)
    case count(Int?)
    case number(Double?, digits: Int = 6)

    package static let empty = Cell.text("")
  }

  /// What the cells of a column were so far: names, counts, numbers.
  package struct Kinds: OptionSet {
    package let rawValue: UInt8

    package static let text = Kinds(rawValue: 1)
    static let count = Kinds(rawValue: 2)
    static let number = Kinds(rawValue: 4)

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ cell: Cell) {
      switch cell {
      // Nothing, where a row has no number: it says nothing of the column.
      case .text(""): self = []
      case .text: self = .text
      case .count: self = .count
      case .number: self = .number
      }
    }

    /// A column that holds nothing at all is of names.
    var kind: ReportTable.Kind {
      if contains(.text) || isEmpty { return .text }
      return contains(.number) ? .real : .integer
    }
  }

  /// The first cells of rows that begin alike, written once.
  package struct Beginning {
    fileprivate let width: Int
    fileprivate let text: TextBytes
    fileprivate let kinds: [Kinds]

    package init(_ cells: [Cell]) {
      kinds = cells.map { Kinds($0) }
      var text = TextBytes()
      for (index, cell) in cells.enumerated() {
        if index > 0 { text.add(",") }
        CSVTable.append(cell, to: &text)
      }
      width = cells.count
      self.text = text
    }
  }

  package private(set) var content = TextBytes()
  private let width: Int
  /// A kind for each column.
  package private(set) var kinds: [Kinds]

  package var text: String { content.text }

  package init(_ columns: [String]) {
    width = columns.count
    kinds = Array(repeating: [], count: columns.count)
    // Some have names of the flow file in them.
    content.add(columns.map(CSVText.cell).joined(separator: ","))
    content.add("\n")
  }

  /// Makes room for some rows more.
  package mutating func reserve(rows: Int) { content.reserve(rows * width * 9) }

  /// Adds a row; a row of another width than the header is filled up or cut.
  package mutating func add(_ cells: [Cell]) { finish(cells, from: 0) }

  /// Adds a row of the beginning, which is narrower than the table, and further cells.
  package mutating func add(_ beginning: Beginning, _ cells: [Cell]) {
    content.add(beginning.text)
    for (index, kind) in beginning.kinds.enumerated() where index < width {
      kinds[index].formUnion(kind)
    }
    finish(cells, from: beginning.width)
  }

  private mutating func finish(_ cells: [Cell], from start: Int) {
    for index in start..<width {
      if index > 0 { content.add(",") }
      if index - start < cells.count {
        kinds[index].formUnion(Kinds(cells[index - start]))
        CSVTable.append(cells[index - start], to: &content)
      }
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
