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
///   foreseen (`UnforeseenChoices`), though small ones are likelier.
///
/// So the table for more people is always a coarser form of that for fewer. As nobody in the hidden
/// rows has to be in any one of them, a hidden count that isn't 0 has a range at least as wide as
/// the smallest of: its row's people, its column's, everybody else's in that column, and the rest.
struct SuppressedRows: Sendable {
  /// How much is shown of a row.
  enum Detail: Int, Sendable, Comparable {
    case nothing, people, counts

    static func < (left: Detail, right: Detail) -> Bool { left.rawValue < right.rawValue }
  }

  /// What has to show less.
  private enum Weakness {
    case row(Int)
    case peopleLeft
    case left(column: Int)
  }

  private(set) var details: [Detail]
  private var rows: [[Int]]
  private let people: [Int]
  /// The fewest people that a row has in a category in which it has any.
  private var fewest: [Int]
  private var total: [Int]
  /// The total by category without the rows that show their counts.
  private var left: [Int]
  /// All people but those of rows that show them.
  private var peopleLeft: Int
  private var hiddenRows = 0
  private var choices: UnforeseenChoices

  /// Everything is shown; `nil` where people are in several rows.
  ///
  /// - Parameters:
  ///   - rows: people by category. People in no row are taken as one that is hidden.
  ///   - total: of everybody.
  init?(rows: [[Int]], total: [Int], choices: UnforeseenChoices) {
    left = total.indices.map { column in rows.reduce(total[column]) { $0 - $1[column] } }
    if left.contains(where: { $0 < 0 }) { return nil }
    self.rows = rows
    self.total = total
    self.choices = choices
    people = rows.map { $0.reduce(0, +) }
    fewest = rows.map(SuppressedRows.fewest)
    peopleLeft = left.reduce(0, +)
    details = rows.map { _ in .counts }
  }

  private static func fewest(_ counts: [Int]) -> Int { counts.filter { $0 > 0 }.min() ?? .max }

  /// Counts neighbouring categories together.
  mutating func join(_ columns: Range<Int>) {
    func joined(_ counts: [Int]) -> [Int] {
      var counts = counts
      counts.replaceSubrange(columns, with: [counts[columns].reduce(0, +)])
      return counts
    }
    rows = rows.map(joined)
    total = joined(total)
    left = joined(left)
    fewest = rows.map(SuppressedRows.fewest)
  }

  /// Shows less until there are `minimum` people wherever there are any.
  ///
  /// - Parameter minimum: at most the fewest people that the total has in a category.
  mutating func suppress(below minimum: Int) {
    while let (count, weakness) = weakest, count < minimum {
      switch weakness {
      case .row(let row): show(details[row] == .counts ? .people : .nothing, of: row)
      case .peopleLeft:
        showNoMore(than: .nothing, ofOneOf: rows.indices.filter { details[$0] >= .people })
      case .left(let column):
        let whole = rows.indices.filter { details[$0] == .counts && rows[$0][column] > 0 }
        showNoMore(than: .people, ofOneOf: whole)
      }
    }
  }

  /// Where the fewest people show who can be hidden, and how many.
  private var weakest: (count: Int, weakness: Weakness)? {
    var found: [(count: Int, weakness: Weakness)] = []
    let row = rows.indices.min { shownFewest($0) < shownFewest($1) }
    if let row, shownFewest(row) < .max { found.append((shownFewest(row), .row(row))) }
    if peopleLeft > 0, peopleLeft < total.reduce(0, +) {
      // Somebody is in each of several hidden rows, so no more than this may be in one of them. The
      // people of a single one are known.
      let most = hiddenRows > 1 ? peopleLeft - hiddenRows + 1 : peopleLeft / 2
      found.append((most, .peopleLeft))
    }
    for column in total.indices where left[column] > 0 && left[column] < total[column] {
      found.append((left[column], .left(column: column)))
    }
    return found.min { $0.count < $1.count }
  }

  /// The fewest people in a count that is shown of a row.
  private func shownFewest(_ row: Int) -> Int {
    switch details[row] {
    case .counts: fewest[row]
    // Otherwise all its counts are small, for a row of which none is would show them.
    case .people: people[row] / 2
    case .nothing: .max
    }
  }

  /// Of the rows with people, small ones are likelier.
  private mutating func showNoMore(than detail: Detail, ofOneOf rows: [Int]) {
    let candidates = rows.filter { people[$0] > 0 }
      .sorted { (people[$0], $0) < (people[$1], $1) }
    if let row = choices.early(of: candidates) { show(detail, of: row) }
  }

  private mutating func show(_ detail: Detail, of row: Int) {
    if details[row] == .counts {
      for column in left.indices { left[column] += rows[row][column] }
    }
    if detail == .nothing {
      peopleLeft += people[row]
      hiddenRows += 1
    }
    details[row] = detail
  }
}
