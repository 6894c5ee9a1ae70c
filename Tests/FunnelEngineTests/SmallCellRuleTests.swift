import Testing

@testable import FunnelEngine

/// No count of a few people can be worked out: tried with every table that agrees with what is shown.
@Suite struct SmallCellRuleTests {
  /// A table with everything that is shown of it.
  struct Shown {
    let minimum: Int
    let rows: [[Int]]
    let details: [SmallCellRule.Detail]
    let total: [Int]

    /// Whether another table would look the same, given that its columns add up to the total.
    func agrees(_ other: [[Int]]) -> Bool {
      rows.indices.allSatisfy { row in
        switch details[row] {
        case .counts: other[row] == rows[row]
        case .people: other[row].reduce(0, +) == rows[row].reduce(0, +)
        case .nothing: true
        }
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

    /// The largest that each count is in any table that looks the same.
    var largest: [[Int]] {
      var largest = rows.map { $0.map { _ in 0 } }
      for first in columns(0) {
        for second in columns(1) {
          let table = zip(first, second).map { [$0, $1] }
          if !agrees(table) { continue }
          for row in rows.indices {
            for column in 0..<2 {
              largest[row][column] = max(largest[row][column], table[row][column])
            }
          }
        }
      }
      return largest
    }
  }

  @Test func everySmallCountMayBeALargeOne() throws {
    var generator = SmallNumbers(state: 7)
    var (small, whole) = (0, 0)
    for _ in 0..<400 {
      let minimum = 2 + generator.next(3)
      let rows = (0..<(2 + generator.next(2))).map { _ in [generator.next(6), generator.next(6)] }
      let total = [rows.reduce(0) { $0 + $1[0] }, rows.reduce(0) { $0 + $1[1] }]
      let rule = SmallCellRule(minimum: minimum)
      if total.contains(where: rule.isSmall) { continue }
      let details = try #require(rule.details(of: rows, total: total))
      let shown = Shown(minimum: minimum, rows: rows, details: details, total: total)
      let largest = shown.largest
      for (row, counts) in rows.enumerated() {
        for column in 0..<2 where rule.isSmall(counts[column]) {
          small += 1
          #expect(
            largest[row][column] >= minimum, "\(rows), at least \(minimum), shown as \(details)")
        }
        if details[row] == .counts { whole += 1 }
      }
    }
    #expect(small > 400 && whole > 50, "\(small) small counts, \(whole) rows with all counts")
  }

  @Test func neighboursAreJoinedUntilTheyAreEnough() {
    let rule = SmallCellRule(minimum: 5)
    #expect(rule.groups(of: [7, 0, 2, 3, 9]) == [0..<1, 1..<2, 2..<4, 4..<5])
    #expect(rule.groups(of: [7, 0, 3]) == [0..<3])
    #expect(rule.groups(of: [1, 2]) == [])
    #expect(rule.groups(of: [0, 0]) == [0..<1, 1..<2])
  }

  @Test func whatIsLeftOfTheTotalIsNotSmall() {
    let rule = SmallCellRule(minimum: 5)
    // The third row can be worked out if both others are shown.
    #expect(
      rule.details(of: [[9, 0], [6, 8], [2, 0]], total: [17, 8]) == [.nothing, .counts, .nothing])
    // People in no row are a hidden one.
    #expect(rule.details(of: [[9, 0], [6, 8]], total: [17, 8]) == [.nothing, .counts])
    #expect(rule.details(of: [[9, 0], [6, 8]], total: [15, 8]) == [.counts, .counts])
    // Columns are worked out alike.
    #expect(
      rule.details(of: [[9, 6], [6, 8], [6, 1]], total: [21, 15]) == [.counts, .people, .people])
    #expect(rule.details(of: [[9, 0], [9, 0]], total: [10, 0]) == nil)
  }
}

/// A few numbers at random, the same in every run.
private struct SmallNumbers {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
  }
}
