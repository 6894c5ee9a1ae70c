import Testing

@testable import FunnelEngine

/// No count of a few people can be worked out: tried with every table that agrees with what is
/// shown, for readers who know the rule as well.
@Suite struct SuppressedRowsTests {
  /// A table with everything that is shown of it.
  struct Shown {
    let minimum: Int
    let rows: [[Int]]
    let total: [Int]
    let details: [SuppressedRows.Detail]

    init?(_ rows: [[Int]], minimum: Int, seed: UInt64) {
      self.minimum = minimum
      self.rows = rows
      total = rows[0].indices.map { column in rows.reduce(0) { $0 + $1[column] } }
      guard total.allSatisfy({ $0 == 0 || $0 >= minimum }),
        var suppressed = SuppressedRows(
          rows: rows, total: total, choices: UnforeseenChoices(seed: seed))
      else { return nil }
      suppressed.suppress(below: minimum)
      details = suppressed.details
    }

    /// Whether another table, whose columns add up to the total, shows the same counts.
    func agrees(_ other: [[Int]]) -> Bool {
      rows.indices.allSatisfy { row in
        switch details[row] {
        case .counts: other[row] == rows[row]
        case .people: other[row].reduce(0, +) == rows[row].reduce(0, +)
        case .nothing: other[row].contains { $0 > 0 }
        }
      }
    }

    /// Whether the rule would have made the same table of it.
    func isMade(of other: [[Int]]) -> Bool {
      (1...32).contains {
        Shown(other, minimum: minimum, seed: UInt64($0))?.details == details
      }
    }

    /// All ways to divide a column's people among the rows, where what is shown is kept.
    func columns(_ column: Int) -> [[Int]] {
      func divide(_ left: Int, _ row: Int) -> [[Int]] {
        if row == rows.count { return left == 0 ? [[]] : [] }
        let counts =
          details[row] == .counts ? rows[row][column]...rows[row][column] : 0...max(0, left)
        return counts.filter { $0 <= left }.flatMap { count in
          divide(left - count, row + 1).map { [count] + $0 }
        }
      }
      return divide(total[column], 0)
    }

    /// All tables that a reader has to think possible.
    var tables: [[[Int]]] {
      columns(0).flatMap { first in
        columns(1).map { second in zip(first, second).map { [$0, $1] } }.filter(agrees)
      }
    }
  }

  /// Small tables at random that can be shown.
  private func shown(_ count: Int, seed: UInt64, minimum: Int, largest: Int) -> [Shown] {
    var choices = UnforeseenChoices(seed: seed)
    func number(_ bound: Int) -> Int { Int(choices.next() % UInt64(bound)) }
    var found: [Shown] = []
    while found.count < count {
      let rows = (0..<2 + number(2)).map { _ in [number(largest), number(largest)] }
      let isFull = rows.allSatisfy { $0.contains { $0 > 0 } }
      if isFull, let shown = Shown(rows, minimum: minimum, seed: choices.next()) {
        found.append(shown)
      }
    }
    return found
  }

  @Test(arguments: [2, 3, 4]) func everySmallCountMayBeALargeOne(minimum: Int) {
    var (small, whole) = (0, 0)
    for shown in shown(120, seed: 7, minimum: minimum, largest: 7) {
      let tables = shown.tables
      for (row, counts) in shown.rows.enumerated() {
        for column in 0..<2 where 0 < counts[column] && counts[column] < minimum {
          small += 1
          let possible = Set(tables.map { $0[row][column] })
          #expect(
            possible.count >= minimum && possible.contains { $0 >= minimum },
            "\(shown.rows), at least \(minimum), shown as \(shown.details)")
        }
        if shown.details[row] == .counts { whole += 1 }
      }
    }
    #expect(small > 50 && whole > 20, "\(small) small counts, \(whole) rows with all counts")
  }

  /// The last column is of people who began too recently: a reader knows in which rows none did.
  @Test(arguments: [2, 3, 4]) func whoBeganTooRecentlyDoesNotShowTheOthers(minimum: Int) {
    var small = 0
    for shown in shown(400, seed: 23, minimum: minimum, largest: 7) {
      // Fewer are joined.
      if shown.total.contains(where: { 0 < $0 && $0 < 2 * minimum }) { continue }
      let tables = shown.tables.filter { table in
        zip(table, shown.rows).allSatisfy { $0[1] == 0 || $1[1] > 0 }
      }
      for (row, counts) in shown.rows.enumerated() where 0 < counts[0] && counts[0] < minimum {
        guard counts[1] > 0, shown.rows.contains(where: { $0[1] == 0 }) else { continue }
        small += 1
        let possible = Set(tables.map { $0[row][0] })
        #expect(
          possible.count >= minimum && possible.contains { $0 >= minimum },
          "\(shown.rows), at least \(minimum), shown as \(shown.details)")
      }
    }
    #expect(small > 5, "\(small) small counts")
  }

  /// Of two rows with few people of a kind both are hidden where one of them has few: that they are
  /// must not say that it is this one.
  @Test(arguments: [2, 3, 5, 10]) func hidingDoesNotSayThatACountIsSmall(minimum: Int) {
    for total in minimum...3 * minimum {
      var joined = JoinedCategories([100, total], choices: UnforeseenChoices(seed: 1))
      // What would be joined is shown of nobody.
      if (joined.fewest ?? 0) < minimum {
        #expect(joined.joinSmallest() != nil)
        continue
      }
      let tables = (0...total).map { [[50, $0], [50, total - $0]] }
      let hidden = tables.filter { rows in
        Shown(rows, minimum: minimum, seed: 9)?.details != [.counts, .counts]
      }
      let possible = Set(hidden.map { $0[0][1] })
      #expect(possible.isEmpty || possible.count >= minimum)
      #expect(possible.isEmpty || possible.contains { $0 >= minimum }, "\(total): \(possible)")
    }
  }

  @Test(arguments: [2, 3]) func knowingTheRuleDoesNotDetermineACount(minimum: Int) {
    var small = 0
    for shown in shown(25, seed: 11, minimum: minimum, largest: 6) {
      let tables = shown.tables.filter(shown.isMade)
      for (row, counts) in shown.rows.enumerated() {
        for column in 0..<2 where 0 < counts[column] && counts[column] < minimum {
          small += 1
          #expect(
            Set(tables.map { $0[row][column] }).count > 1,
            "\(shown.rows), at least \(minimum), shown as \(shown.details)")
        }
      }
    }
    #expect(small > 5)
  }

  @Test func aLargerMinimumShowsACoarserTable() {
    for seed in 0..<200 as Range<UInt64> {
      var choices = UnforeseenChoices(seed: seed)
      let rows = (0..<6).map { _ in (0..<3).map { _ in Int(choices.next() % 12) } }
      let finer = Shown(rows, minimum: 3, seed: seed)
      let coarser = Shown(rows, minimum: 9, seed: seed)
      if let finer, let coarser {
        #expect(zip(finer.details, coarser.details).allSatisfy { $0 >= $1 })
      }
    }
  }

  @Test func neighboursAreJoinedUntilTheyAreEnough() throws {
    var sides: Set<Range<Int>> = []
    for seed in 0..<20 as Range<UInt64> {
      var joined = JoinedCategories([7, 0, 2, 9], choices: UnforeseenChoices(seed: seed))
      #expect(joined.fewest == 1)
      let joining = joined.joinSmallest()
      sides.insert(try #require(joining))
      #expect(joined.totals.reduce(0, +) == 18 && joined.groups.count == 3)
    }
    #expect(sides == [1..<3, 2..<4])
    var one = JoinedCategories([3], choices: UnforeseenChoices(seed: 1))
    let joining = one.joinSmallest()
    #expect(joining == nil)
  }

  @Test func whatIsLeftOfTheTotalIsNotSmall() throws {
    // The third row can be worked out if both others are shown.
    let two = try #require(Shown([[9, 0], [6, 8], [2, 0]], minimum: 5, seed: 3)).details
    #expect(two[2] == .nothing && two[..<2].contains(.nothing))
    // People in no row are like a hidden row.
    func details(_ rows: [[Int]], _ total: [Int]) -> [SuppressedRows.Detail]? {
      var rows = SuppressedRows(rows: rows, total: total, choices: UnforeseenChoices(seed: 3))
      rows?.suppress(below: 5)
      return rows?.details
    }
    #expect(details([[9, 0], [6, 8]], [17, 8])?.contains(.nothing) == true)
    #expect(details([[9, 0], [6, 8]], [15, 8]) == [.counts, .counts])
    #expect(details([[9, 0], [9, 0]], [10, 0]) == nil)
  }

  @Test func namesOfHiddenValuesDoNotGiveThemAway() throws {
    // Readers who know that there are four such values would know that each is of one person.
    let rows = [[1, 0], [1, 0], [1, 0], [1, 0], [6, 8], [9, 9]]
    let details = try #require(Shown(rows, minimum: 4, seed: 5)).details
    #expect(details[..<4].allSatisfy { $0 == .nothing } && details[4...].contains(.nothing))
  }
}
