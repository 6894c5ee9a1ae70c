/// How wide a table is when nothing in it is broken, by its own words, so that it becomes a list
/// where its place is narrower.
struct TableWidth {
  /// The widths at which the style sheet folds tables, in pixels.
  static let folds = [400, 560, 740, 960, 1110, 1200]

  /// At least, in pixels.
  let pixels: Int

  /// A character of 14 pixels, and what a wider font than ours adds.
  private static let character = 8.2
  private static let padding = 14.0
  private static let plot = 150.0

  init(_ table: DataTable) {
    var widths = table.columns.map { column -> Double in
      if column.isPlot { return TableWidth.plot }
      // Heads are broken between words, names anywhere.
      if column.isName { return 72 }
      let longest = column.title.split(separator: " ").map(\.count).max() ?? 0
      return Double(longest) * TableWidth.character
    }
    for row in table.rows + table.foot {
      for (index, cell) in row.enumerated() where index < widths.count {
        widths[index] = max(widths[index], TableWidth.width(cell, isHead: index == 0))
      }
    }
    pixels = Int(widths.reduce(0) { $0 + $1 + TableWidth.padding })
  }

  private static func width(_ cell: DataTable.Cell, isHead: Bool) -> Double {
    func text(_ count: Int) -> Double { Double(count) * character }
    switch cell {
    case .text(let words), .name(let words): return min(text(words.count), isHead ? 150 : 130)
    case .number(let shown): return text(shown?.text.count ?? 1)
    case .pair(let first, let between, let second):
      return text((first?.text.count ?? 0) + between.count + (second?.text.count ?? 0))
    case .plot: return plot
    case .tag(let words, _): return text(words.count) + 20
    case .heat(_, let shown, let below):
      return text((shown?.text.count ?? 1) + (below?.text.count ?? 0)) + 8
    }
  }

  /// The class by which the style sheet folds the table.
  var fold: String {
    let index = TableWidth.folds.firstIndex { $0 >= pixels } ?? TableWidth.folds.count - 1
    return "f\(index)"
  }
}
