/// The rows of a table that is cut by the values of some dimensions.
enum BreakdownRows {
  /// By the bytes of the values.
  static func sorted<Counts>(
    _ byValues: [[String]: Counts]
  ) -> [(values: [String], counts: Counts)] {
    byValues.sorted { left, right in
      for (one, other) in zip(left.key, right.key) where one != other {
        return one.utf8.lexicographicallyPrecedes(other.utf8)
      }
      return false
    }.map { ($0.key, $0.value) }
  }

  /// `os=iOS / copy=B`
  static func label(_ breakdowns: [String], _ values: [String]) -> String {
    zip(breakdowns, values).map { "\($0)=\($1)" }.joined(separator: " / ")
  }
}
