/// The values of a dimension with their people by category, as they are made coarser until nobody
/// can find a count of a few people in them.
///
/// A person is in exactly one category, and in one row of a dimension; everybody's row, the total,
/// is always shown. So a hidden count is given away by the total minus what is shown, by the
/// difference of two sums, and by what is known of the rule itself. It is made coarser where the
/// fewest people show, one thing after the other, until there are enough everywhere:
///
/// - a row with all its counts keeps its people alone, and one with its people alone, which needs
///   twice as many, is hidden;
/// - where too few are left of the total, some other row that adds to it shows less. Which can't be
///   foreseen (`UnforeseenChoices`), though small ones are likelier. The last column, of people who
///   began too recently, is of the last days' rows alone: too few may be left of these as well.
///
/// So the table for more people is always a coarser form of that for fewer. As nobody in the hidden
/// rows has to be in any one of them, a hidden count that isn't 0 has a range at least as wide as
/// the smallest of: its row's people, its column's, everybody else's in that column, and the rest.
///
/// All of that holds for what readers of earlier tables can work out as well: for the people by
/// whom the tables differ (`PublishedChange`).
struct SuppressedRows: Sendable {
  /// How much is shown of a row.
  enum Detail: Int, Sendable, Comparable {
    case nothing, people, counts

    static func < (left: Detail, right: Detail) -> Bool { left.rawValue < right.rawValue }
  }

  private(set) var details: [Detail]
  private let people: [Int]
  private var tables: [ReadableTable]
  private var choices: UnforeseenChoices

  /// Everything is shown that earlier tables show; `nil` where people are in several rows.
  ///
  /// - Parameters:
  ///   - rows: people by category. People in no row are taken as one that is hidden.
  ///   - total: of everybody.
  ///   - changes: from earlier tables.
  init?(
    rows: [[Int]], total: [Int], changes: [PublishedChange] = [], choices: UnforeseenChoices
  ) {
    let own = ReadableTable(of: .everybody, rows: rows, total: total)
    if own.left.contains(where: { $0 < 0 }) { return nil }
    self.choices = choices
    people = own.people
    details = rows.map { _ in .counts }
    tables = [own] + changes.flatMap { [$0.unsettled, $0.new] }
    for change in changes {
      for (row, detail) in change.details.enumerated() { limit(row, to: detail) }
    }
  }

  /// Counts neighbouring categories together.
  mutating func join(_ columns: Range<Int>) {
    for place in tables.indices { tables[place].join(columns) }
  }

  /// Shows less until there are `minimum` people wherever there are any.
  ///
  /// - Parameter minimum: at most the fewest people that the total has in a category.
  mutating func suppress(below minimum: Int) {
    while let (table, count, weakness) = weakest, count < minimum {
      switch weakness {
      case .row(let row):
        let isCounts = details[row] == .counts && tables[table].of != .new
        show(isCounts ? .people : .nothing, of: row)
      case .peopleLeft: showLess(.nothing, of: adding(to: weakness, in: table))
      case .left:
        showLess(tables[table].of == .new ? .nothing : .people, of: adding(to: weakness, in: table))
      case .besideRecent:
        let shown = tables[table].mostShownWithRecent(details)
        showLess(shown.detail == .counts ? .people : .nothing, of: shown.rows)
      }
    }
  }

  private var weakest: (table: Int, count: Int, weakness: ReadableTable.Weakness)? {
    tables.enumerated().compactMap { table, readable in
      readable.weakest(details).map { (table, $0.count, $0.weakness) }
    }.min { $0.1 < $1.1 }
  }

  private func adding(to weakness: ReadableTable.Weakness, in table: Int) -> [Int] {
    tables[table].adding(to: weakness, details)
  }

  /// Of rows with people small ones are likelier to show less.
  private mutating func showLess(_ detail: Detail, of rows: [Int]) {
    // Where people are gone there may be none; some row shows more than this all the same.
    let candidates = rows.isEmpty ? details.indices.filter { details[$0] > detail } : rows
    let row = choices.early(of: candidates.sorted { (people[$0], $0) < (people[$1], $1) })
    if let row { show(detail, of: row) }
  }

  /// Makes a row show no more than this.
  private mutating func limit(_ row: Int, to detail: Detail) {
    if details[row] > detail { show(detail, of: row) }
  }

  private mutating func show(_ detail: Detail, of row: Int) {
    for place in tables.indices { tables[place].show(detail, of: row, insteadOf: details[row]) }
    details[row] = detail
  }
}
