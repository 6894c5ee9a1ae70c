import Testing

@testable import FunnelEngine

/// No count of a few people can be worked out from a table and an earlier one: tried with every pair
/// of tables that agrees with what is shown of both.
@Suite struct PublishedChangeTests {
  /// Rows of people whose outcome is settled, and of people who are too recent.
  private typealias Rows = [[Int]]

  /// Two tables and what is shown of them.
  private struct Pair {
    let rows: (old: Rows, new: Rows)
    let details: (old: [SuppressedRows.Detail], new: [SuppressedRows.Detail])

    /// - Parameter isAware: whether the new table is made for readers of the old one.
    init?(_ old: Rows, _ new: Rows, minimum: Int, isAware: Bool = true, seed: UInt64 = 2) {
      func total(_ rows: Rows) -> [Int] {
        [0, 1].map { place in rows.reduce(0) { $0 + $1[place] } }
      }
      let (before, after) = (total(old), total(new))
      let unsettled = [after[0] - before[0], after[1]]
      let added = after.reduce(0, +) - before.reduce(0, +)
      guard (before + after + unsettled + [added]).allSatisfy({ $0 == 0 || $0 >= minimum }),
        var earlier = SuppressedRows(
          rows: old, total: before, choices: UnforeseenChoices(seed: 1))
      else { return nil }
      earlier.suppress(below: minimum)
      let known = zip(old, earlier.details).map { counts, detail -> EarlierRow in
        switch detail {
        case .nothing: .unknown
        case .people: .people(counts.reduce(0, +))
        case .counts: .counts(counts)
        }
      }
      let change = PublishedChange(
        rows: new, total: after, earlier: known, everybody: before, settled: { [$0[0], 0] })
      guard
        var later = SuppressedRows(
          rows: new, total: after, changes: isAware ? [change] : [],
          choices: UnforeseenChoices(seed: seed))
      else { return nil }
      later.suppress(below: minimum)
      rows = (old, new)
      details = (earlier.details, later.details)
    }

    /// All tables of which the same is shown.
    private static func tables(_ rows: Rows, _ details: [SuppressedRows.Detail]) -> [Rows] {
      func divide(_ left: Int, _ row: Int, _ column: Int) -> [[Int]] {
        if row == rows.count { return left == 0 ? [[]] : [] }
        let own = rows[row][column]
        let counts = details[row] == .counts ? own...own : 0...max(0, left)
        return counts.filter { $0 <= left }.flatMap { count in
          divide(left - count, row + 1, column).map { [count] + $0 }
        }
      }
      let totals: [Int] = [0, 1].map { column in rows.reduce(0) { $0 + $1[column] } }
      let seconds: [[Int]] = divide(totals[1], 0, 1)
      var found: [Rows] = []
      for first in divide(totals[0], 0, 0) {
        for second in seconds {
          let table: Rows = rows.indices.map { [first[$0], second[$0]] }
          if hasPeople(table, of: rows, details) { found.append(table) }
        }
      }
      return found
    }

    /// Whether a table has the people that are shown.
    private static func hasPeople(
      _ table: Rows, of rows: Rows, _ details: [SuppressedRows.Detail]
    ) -> Bool {
      rows.indices.allSatisfy { row in
        let people: Int = table[row].reduce(0, +)
        return details[row] != .people || people == rows[row].reduce(0, +)
      }
    }

    /// Counts of few people, with all that each may be for a reader of both tables, who knows that
    /// settled people stay what they are.
    func possible(_ minimum: Int) -> [(count: Int, values: Set<Int>)] {
      let truth = Pair.counts(rows.old, rows.new)
      var values = truth.map { _ in Set<Int>() }
      let later = Pair.tables(rows.new, details.new)
      for old in Pair.tables(rows.old, details.old) {
        for new in later {
          let counts = Pair.counts(old, new)
          if counts.contains(where: { $0 < 0 }) { continue }
          for (place, count) in counts.enumerated() { values[place].insert(count) }
        }
      }
      return zip(truth, values).filter { 0 < $0.0 && $0.0 < minimum }.map { ($0, $1) }
    }

    /// Of each row: both counts, who settled, who is new.
    private static func counts(_ old: Rows, _ new: Rows) -> [Int] {
      zip(old, new).flatMap { old, new in
        [new[0], new[1], new[0] - old[0], new.reduce(0, +) - old.reduce(0, +)]
      }
    }
  }

  /// Small tables at random, and later ones in which some people are new or have settled.
  private func pairs(_ count: Int, minimum: Int) -> [Pair] {
    var choices = UnforeseenChoices(seed: 5)
    func number(_ bound: Int) -> Int { Int(choices.next() % UInt64(bound)) }
    var found: [Pair] = []
    while found.count < count {
      let old = (0..<3).map { _ in [number(4), number(3)] }
      let new = old.map { counts in
        let stay = number(counts[1] + 1)
        return [counts[0] + counts[1] - stay + number(2) * number(4), stay + number(2)]
      }
      if let pair = Pair(old, new, minimum: minimum) { found.append(pair) }
    }
    return found
  }

  /// Counts of few people, and how many of them are given away.
  private func givenAway(_ pairs: [Pair], minimum: Int) -> (small: Int, found: Int) {
    let counts = pairs.flatMap { $0.possible(minimum) }
    let found = counts.count { _, values in
      values.count < minimum || !values.contains { $0 >= minimum }
    }
    return (counts.count, found)
  }

  @Test(arguments: [2, 3]) func everySmallCountMayBeALargeOne(minimum: Int) {
    let counts = givenAway(pairs(12, minimum: minimum), minimum: minimum)
    #expect(counts.small > 10 && counts.found == 0, "\(counts)")
  }

  @Test func aTableOfTheSamePeopleHidesTheSameRows() {
    // One of the large rows is hidden beside the small one: by each table another one.
    let rows = [[1, 0], [5, 0], [5, 0], [5, 0]]
    let seeds = 0..<8 as Range<UInt64>
    for (isAware, isSafe) in [(true, true), (false, false)] {
      let pairs = seeds.compactMap {
        Pair(rows, rows, minimum: 3, isAware: isAware, seed: $0)
      }
      #expect(pairs.count == seeds.count)
      #expect((givenAway(pairs, minimum: 3).found == 0) == isSafe)
    }
  }

  @Test func peopleWhoAreGoneAreHiddenToo() throws {
    // Late events may change what was settled.
    let old = [[9, 0], [9, 0], [9, 0]]
    let change = PublishedChange(
      rows: [[8, 0], [9, 0], [10, 0]], total: [27, 0], earlier: old.map { .counts($0) },
      everybody: [27, 0], settled: { [$0[0], 0] })
    var rows = try #require(
      SuppressedRows(
        rows: [[8, 0], [9, 0], [10, 0]], total: [27, 0], changes: [change],
        choices: UnforeseenChoices(seed: 1)))
    rows.suppress(below: 3)
    #expect(rows.details[0] == .nothing && rows.details[2] == .nothing)
  }
}
