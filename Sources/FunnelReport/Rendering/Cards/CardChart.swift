/// The numbers of a card that stand side by side.
struct CardChart {
  struct Row {
    var label: String
    /// `nil` where there is no number: the row says so.
    var value: Double?
    var low: Double?
    var high: Double?
    /// What the reader reads at the bar's end.
    var text: String
    /// What the finding is about.
    var isMarked = false

    func marked(_ isMarked: Bool) -> Row {
      var row = self
      row.isMarked = isMarked
      return row
    }
  }

  enum Form {
    /// A row of words for each number.
    case bars
    /// A column for each number, in the order of time; only the first and the last are named.
    case columns
  }

  var title: String
  var form = Form.bars
  var rows: [Row]

  static let maximumRows = 9

  /// What the longest bar stands for: a round number above the largest value.
  var top: Double {
    let largest = rows.compactMap(\.value).max() ?? 0
    let bounds = rows.compactMap(\.high).max() ?? 0
    // An interval that is far longer than any bar would leave no room for them.
    let needed = max(largest, min(bounds, largest * 2))
    return needed > 0 ? needed : 1
  }

  /// The first rows, and those that are marked; `nil` of fewer than two.
  static func bars(_ title: String, _ rows: [Row]) -> CardChart? {
    guard rows.count > 1 else { return nil }
    guard rows.count > maximumRows else { return CardChart(title: title, rows: rows) }
    let marked = rows.indices.filter { rows[$0].isMarked }
    let others = rows.indices.filter { !rows[$0].isMarked }
    let kept = (marked + others).prefix(maximumRows).sorted()
    return CardChart(
      title: "\(title) (\(kept.count) of \(rows.count))", rows: kept.map { rows[$0] })
  }
}
