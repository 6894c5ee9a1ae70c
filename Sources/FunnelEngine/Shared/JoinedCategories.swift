/// Neighbouring categories that are counted together, since too few of all people are in one.
struct JoinedCategories: Sendable {
  /// In the order of the categories; each is in one.
  private(set) var groups: [Range<Int>]
  /// People by group.
  private(set) var totals: [Int]
  private var choices: UnforeseenChoices

  /// Each category by itself.
  ///
  /// - Parameter totals: people by category.
  init(_ totals: [Int], choices: UnforeseenChoices) {
    groups = totals.indices.map { $0..<$0 + 1 }
    self.totals = totals
    self.choices = choices
  }

  /// The fewest people in a group that has any.
  var fewest: Int? { totals.filter { $0 > 0 }.min() }

  /// Joins the smallest group that has people with one of its neighbours.
  ///
  /// - Returns: the places of both, one behind the other; `nil` if there is only one.
  mutating func joinSmallest() -> Range<Int>? {
    guard groups.count > 1,
      let small = totals.indices.filter({ totals[$0] > 0 }).min(by: { totals[$0] < totals[$1] })
    else { return nil }
    let isWithNext = choices.coin()
    let first = small == 0 ? 0 : small == groups.count - 1 || !isWithNext ? small - 1 : small
    let places = first..<first + 2
    groups.replaceSubrange(
      places, with: [groups[first].lowerBound..<groups[first + 1].upperBound])
    totals.replaceSubrange(places, with: [totals[first] + totals[first + 1]])
    return places
  }
}
