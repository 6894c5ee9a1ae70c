/// The counters that are kept of each account, and of each version of the flow by day: those of the
/// rates that experiments show.
struct ClusterColumns: Sendable {
  /// Of a tally's layout; the first is the number of people who entered.
  let counters: [Int]
  /// By counter its column; −1 for none.
  private let columns: [Int32]

  init(_ layout: CounterLayout) {
    var counters = [CounterLayout.Person.entered, .persons].map { layout[$0] }
    counters += [CounterLayout.Person.finished, .finishedAfterSkipping, .skipped, .usedSkip]
      .map { layout[$0] }
    counters += (0..<layout.permissionCount).map { layout[.optIn, $0] }
    for counter in CounterLayout.Rate.allCases {
      counters += (0..<layout.goalCount).map { layout[goal: $0, counter] }
      counters += (0..<layout.retentionCount).map { layout[retention: $0, counter] }
      let overall = layout.overallGoals.count + layout.overallRetention.count
      counters += (0..<overall).map { layout[overall: $0, counter] }
    }
    self.counters = counters
    var columns = [Int32](repeating: -1, count: layout.count)
    for (column, counter) in counters.enumerated() { columns[counter] = Int32(column) }
    self.columns = columns
  }

  /// The column of a counter, which must be one of those that are kept; −1 for others.
  func place(_ counter: Int) -> Int { Int(columns[counter]) }

  /// The column of a counter; `nil` where it isn't kept.
  @inline(__always)
  func column(_ counter: Int32) -> Int? {
    let column = columns[Int(counter)]
    return column < 0 ? nil : Int(column)
  }
}
