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
    for column in total.indices where left[column] != 0 && left[column] != total[column] {
      found.append((left[column], .left(column: column)))
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
      case .row: false
      case .peopleLeft: details[row] >= .people && people[row] > 0
      case .left(let column):
        details[row] >= (of == .new ? .people : .counts) && rows[row]?[column] ?? 0 > 0
      }
    }
  }
}
