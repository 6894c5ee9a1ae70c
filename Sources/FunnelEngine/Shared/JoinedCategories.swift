/// Neighbouring categories that are counted together, since too few of all people are in one.
struct JoinedCategories: Sendable {
  /// In the order of the categories; each is in one.
  private(set) var groups: [Range<Int>]
  /// People by group.
  private(set) var totals: [Int]
  /// Of those who are not settled in earlier tables.
  private var changes: [[Int]]
  private var choices: UnforeseenChoices

  /// - Parameters:
  ///   - totals: people by category.
  ///   - groups: which are together in earlier tables; each by itself if not given.
  ///   - changes: from each earlier table, by group.
  init(
    _ totals: [Int], groups: [Range<Int>]? = nil, changes: [[Int]] = [],
    choices: UnforeseenChoices
  ) {
    self.groups = groups ?? totals.indices.map { $0..<$0 + 1 }
    self.totals = self.groups.map { totals[$0].reduce(0, +) }
    self.changes = changes
    self.choices = choices
  }

  /// The fewest people in a group that has any: half of them, for a value of two whose counts are
  /// hidden may then have many of the group as well as few. One group alone hides nothing.
  var fewest: Int? { smallest.map { groups.count > 1 ? $0.count / 2 : $0.count } }

  private var smallest: (count: Int, group: Int)? {
    ([totals] + changes).flatMap { counts in
      counts.enumerated().filter { $1 != 0 }.map { (count: $1, group: $0) }
    }.min { $0.count < $1.count }
  }

  /// Joins the smallest group that has people with one of its neighbours.
  ///
  /// - Returns: the places of both, one behind the other; `nil` if there is only one.
  mutating func joinSmallest() -> Range<Int>? {
    guard groups.count > 1, let small = smallest?.group else { return nil }
    let isWithNext = choices.coin()
    let first = small == 0 ? 0 : small == groups.count - 1 || !isWithNext ? small - 1 : small
    let places = first..<first + 2
    groups.replaceSubrange(
      places, with: [groups[first].lowerBound..<groups[first + 1].upperBound])
    func join(_ counts: inout [Int]) {
      counts.replaceSubrange(places, with: [counts[first] + counts[first + 1]])
    }
    join(&totals)
    for place in changes.indices { join(&changes[place]) }
    return places
  }
}
