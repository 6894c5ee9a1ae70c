/// Which counts of a table can be given away, so that no small one is shown or can be worked out.
///
/// A person is in exactly one category, and in one row of a dimension; everybody's row, the total,
/// is always shown. So three things give a hidden count away: the total minus what is shown, the
/// difference of two sums, and rows that add up to everyone. They are met thus:
///
/// 1. Categories with fewer than `minimum` people in the total are joined with their neighbours
///    (`groups`), in all rows, so every column of the total is 0 or at least `minimum`.
/// 2. A row is shown with all counts if each of them is 0 or at least `minimum`, with its people
///    alone if there are that many of those, and otherwise not at all.
/// 3. What is left of the total is 0 or at least `minimum` too, for people and in each column;
///    otherwise the smallest row that is shown and adds to it shows less.
///
/// Then a hidden count that isn't 0 may, for all that is shown, be `minimum` or more: its row has
/// room for so many, and so has its column.
struct SmallCellRule: Sendable {
  /// How much is shown of a row.
  enum Detail: Int, Sendable, Comparable {
    case nothing, people, counts

    static func < (left: Detail, right: Detail) -> Bool { left.rawValue < right.rawValue }
  }

  let minimum: Int

  func isSmall(_ count: Int) -> Bool { count > 0 && count < minimum }

  /// Neighbouring categories that are counted together; none where there are too few people.
  ///
  /// - Parameter total: people by category.
  func groups(of total: [Int]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var (start, sum) = (0, 0)
    for category in total.indices {
      sum += total[category]
      if isSmall(sum) { continue }
      groups.append(start..<category + 1)
      (start, sum) = (category + 1, 0)
    }
    while start < total.count, isSmall(sum), let last = groups.popLast() {
      start = last.lowerBound
      sum += total[last].reduce(0, +)
    }
    if start < total.count && !isSmall(sum) { groups.append(start..<total.count) }
    return isSmall(sum) ? [] : groups
  }

  /// How much of each row can be shown; `nil` where people are in several rows.
  ///
  /// - Parameters:
  ///   - rows: people by group of categories. People in no row are taken as one that is hidden.
  ///   - total: of everybody; no count of it is small.
  func details(of rows: [[Int]], total: [Int]) -> [Detail]? {
    let people = rows.map { $0.reduce(0, +) }
    let all = total.reduce(0, +)
    let sums = total.indices.map { column in rows.reduce(0) { $0 + $1[column] } }
    guard zip(sums, total).allSatisfy({ $0 <= $1 }) else { return nil }
    var details = rows.indices.map { row -> Detail in
      if !rows[row].contains(where: isSmall) { return .counts }
      return isSmall(people[row]) ? .nothing : .people
    }
    /// The smallest row that shows this much and adds to what is shown.
    func smallest(_ detail: Detail, _ adds: (Int) -> Int) -> Int? {
      rows.indices.filter { details[$0] >= detail && adds($0) > 0 }
        .min { (people[$0], $0) < (people[$1], $1) }
    }
    while true {
      let shown = rows.indices.filter { details[$0] >= .people }
      if isSmall(all - shown.reduce(0) { $0 + people[$1] }),
        let row = smallest(.people, { people[$0] })
      {
        details[row] = .nothing
        continue
      }
      let whole = rows.indices.filter { details[$0] == .counts }
      let column = total.indices.first { column in
        isSmall(total[column] - whole.reduce(0) { $0 + rows[$1][column] })
      }
      guard let column, let row = smallest(.counts, { rows[$0][column] }) else { return details }
      details[row] = .people
    }
  }
}
