/// The tables that readers have already, with their categories as the new table can show them: what
/// was joined stays joined.
struct EarlierTables {
  private let tables: [(table: PublishedTable, groups: [Range<Int>])]
  /// The finest categories that are joined as in all tables.
  let groups: [Range<Int>]

  /// - Parameter own: the finest categories that the new table may have.
  /// - Throws: `PublishedTableError` where a table is of another flow.
  init(
    _ tables: [PublishedTable], _ outcomes: [String], own: [Range<Int>]
  ) throws(PublishedTableError) {
    var found: [(table: PublishedTable, groups: [Range<Int>])] = []
    var ends = Set(own.map(\.upperBound))
    for table in tables {
      let groups = try table.groups(outcomes)
      found.append((table, groups))
      ends.formIntersection(groups.map(\.upperBound))
    }
    self.tables = found
    let sorted = ends.sorted()
    groups = zip([0] + sorted, sorted).map { $0..<$1 }
  }

  /// People by outcome → by category.
  func grouped(_ counts: [Int]) -> [Int] { groups.map { counts[$0].reduce(0, +) } }

  /// How many more people there are than in each table.
  func newPeople(_ everybody: [Int]) -> [Int] {
    tables.map { everybody.reduce(0, +) - $0.table.everybody.reduce(0, +) }
  }

  /// Of everybody those who are not settled in each table, by category.
  func unsettled(_ everybody: [Int]) -> [[Int]] {
    tables.map { table in
      zip(everybody, settled(table.table.everybody, table.groups)).map { $0 - $1 }
    }
  }

  /// By whom a dimension differs from each table that shows any of its values.
  func changes(
    _ dimension: String, _ values: [String], _ rows: [[Int]], _ everybody: [Int]
  ) -> [PublishedChange] {
    tables.compactMap { table in
      table.table.earlier(dimension, values).map { earlier in
        PublishedChange(
          rows: rows, total: everybody, earlier: earlier, everybody: table.table.everybody
        ) { settled($0, table.groups) }
      }
    }
  }

  /// A table's counts by the common categories, without those of people who are too recent: these
  /// are in the last one, whose people may yet come to something else.
  private func settled(_ counts: [Int], _ own: [Range<Int>]) -> [Int] {
    groups.map { group in
      zip(own, counts).dropLast().filter { group.contains($0.0.lowerBound) }
        .reduce(0) { $0 + $1.1 }
    }
  }
}
