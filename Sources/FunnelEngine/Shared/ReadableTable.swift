/// A table that a reader has or can work out, of people who are each in one row and one column.
///
/// With earlier tables of mostly the same people a reader has, beside the table itself, those of
/// the people by whom they differ (`PublishedChange`). All of them show the same rows.
struct ReadableTable: Sendable {
  /// Whose people it counts.
  enum People: Sendable {
    /// Everybody that the table is of.
    case everybody
    /// Those whose outcome was not settled in an earlier table, or who were not in it.
    case unsettled
    /// Those who were not in an earlier table, in one column.
    case new
  }

  let of: People
  /// By category; `nil` for a row of which the earlier table does not show what is needed.
  private(set) var rows: [[Int]?]
  private(set) var total: [Int]
  private(set) var people: [Int]
  /// The smallest count of a row that is not 0.
  private var fewest: [Int]
  /// The total by category without the rows that show their counts.
  private(set) var left: [Int]
  /// All people but those of rows that show them.
  private(set) var peopleLeft: Int
  private var hiddenRows = 0

  /// What has to show less.
  enum Weakness {
    case row(Int)
    case peopleLeft
    case left(column: Int)
    case besideRecent
  }

  /// Everything is shown.
  init(of: People, rows: [[Int]?], total: [Int]) {
    self.of = of
    self.rows = rows
    self.total = total
    left = total.indices.map { column in rows.reduce(total[column]) { $0 - ($1?[column] ?? 0) } }
    people = rows.map { $0?.reduce(0, +) ?? 0 }
    fewest = rows.map(ReadableTable.fewest)
    peopleLeft = left.reduce(0, +)
  }

  private static func fewest(_ counts: [Int]?) -> Int {
    counts?.filter { $0 != 0 }.min() ?? .max
  }

  /// Counts neighbouring categories together.
  mutating func join(_ columns: Range<Int>) {
    if of == .new { return }
    func joined(_ counts: [Int]) -> [Int] {
      var counts = counts
      counts.replaceSubrange(columns, with: [counts[columns].reduce(0, +)])
      return counts
    }
    rows = rows.map { $0.map(joined) }
    total = joined(total)
    left = joined(left)
    fewest = rows.map(ReadableTable.fewest)
  }

  /// Takes note that a row shows less than it did.
  mutating func show(
    _ detail: SuppressedRows.Detail, of row: Int, insteadOf earlier: SuppressedRows.Detail
  ) {
    let counts = rows[row] ?? []
    if of == .new ? detail == .nothing : earlier == .counts {
      for (column, count) in counts.enumerated() { left[column] += count }
    }
    if detail == .nothing {
      peopleLeft += people[row]
      hiddenRows += 1
    }
  }

  /// Where the fewest people show who can be hidden, and how many; fewer than none where people
  /// are gone that an earlier table has.
  func weakest(_ details: [SuppressedRows.Detail]) -> (count: Int, weakness: Weakness)? {
    var found: [(count: Int, weakness: Weakness)] = []
    let row = rows.indices.min { shownFewest($0, details[$0]) < shownFewest($1, details[$1]) }
    if let row, shownFewest(row, details[row]) < .max {
      found.append((shownFewest(row, details[row]), .row(row)))
    }
    if of != .new, peopleLeft != 0, peopleLeft != total.reduce(0, +) {
      found.append((mostInOneRow, .peopleLeft))
    }
    if let count = peopleBesideRecent(details) { found.append((count / 2, .besideRecent)) }
    for column in total.indices where left[column] != 0 && left[column] != total[column] {
      // Two hidden rows of fewer people would say by being hidden that one of them has few.
      found.append((left[column] / 2, .left(column: column)))
    }
    return found.min { $0.count < $1.count }
  }

  /// How many of the people without a row may be in one, for all that a reader knows.
  private var mostInOneRow: Int {
    if of == .unsettled { return peopleLeft }
    // Somebody is in each of several hidden rows, so no more than this may be in one of them. The
    // people of a single one are known.
    return hiddenRows > 1 ? peopleLeft - hiddenRows + 1 : peopleLeft / 2
  }

  /// How many people are known to be settled, besides those of rows with all their counts, among
  /// the rows that have people in the last column. Who began too recently did so on the last days:
  /// a reader knows which cohorts, and which versions nobody had any more. `nil` where that is no
  /// more than what is known of everybody.
  private func peopleBesideRecent(_ details: [SuppressedRows.Detail]) -> Int? {
    guard of == .everybody, peopleLeft != total.reduce(0, +), let recent = left.last, recent > 0
    else { return nil }
    var known = 0
    // People in no row are taken as one that is hidden.
    var recentElsewhere = recent
    for row in rowsWithRecent where details[row] != .counts {
      if details[row] == .people {
        known += people[row]
        recentElsewhere -= rows[row]?.last ?? 0
      }
    }
    let settled = known + (recentElsewhere > 0 ? peopleLeft : 0) - recent
    return settled == 0 ? nil : settled
  }

  private var rowsWithRecent: [Int] { rows.indices.filter { rows[$0]?.last ?? 0 > 0 } }

  /// Which rows with people in the last column show most of all that do, and how much; all that
  /// show their people where none of those does.
  func mostShownWithRecent(
    _ details: [SuppressedRows.Detail]
  ) -> (rows: [Int], detail: SuppressedRows.Detail) {
    let most = rowsWithRecent.map { details[$0] }.max() ?? .nothing
    return most == .nothing
      ? (rows.indices.filter { details[$0] >= .people && people[$0] > 0 }, .people)
      : (rowsWithRecent.filter { details[$0] == most }, most)
  }

  /// The smallest count that is shown of a row.
  private func shownFewest(_ row: Int, _ detail: SuppressedRows.Detail) -> Int {
    switch detail {
    case .nothing: .max
    case .people where of != .new && (of == .everybody || people[row] != 0):
      // Otherwise all its counts are small, for a row of which none is would show them.
      people[row] / 2
    case .people where of == .unsettled: .max
    default: fewest[row]
    }
  }

  /// The rows of which some may show less, so that more people are left.
  func adding(to weakness: Weakness, _ details: [SuppressedRows.Detail]) -> [Int] {
    rows.indices.filter { row in
      switch weakness {
      case .row, .besideRecent: false
      case .peopleLeft: details[row] >= .people && people[row] > 0
      case .left(let column):
        details[row] >= (of == .new ? .people : .counts) && rows[row]?[column] ?? 0 > 0
      }
    }
  }
}
