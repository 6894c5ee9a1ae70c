internal import Timelines

/// What a tally holds of each day on which people started: how many are mature, and how many of
/// these did what ends an attempt, sees a step or answers a permission.
public struct ProgressLayout: Sendable, Hashable {
  private let stepCount: Int
  /// How many counters a day has.
  public let count: Int
  /// Mature persons.
  public let persons = 0
  /// Of these who finished.
  public let finished = 1

  init(_ layout: CounterLayout) {
    stepCount = layout.stepCount
    count = 2 + 2 * layout.stepCount + layout.permissionCount
  }

  /// Of the mature persons whose own list holds the step who got past it: seen on a later one, or
  /// finished.
  public func past(_ step: Int) -> Int { 2 + 2 * step }

  /// Of those who got past a step who viewed it.
  public func viewed(_ step: Int) -> Int { 3 + 2 * step }

  /// Of those who finished who have a result of the permission with this index.
  public func answered(_ permission: Int) -> Int { 2 + 2 * stepCount + permission }
}

/// Counts attempts by the day on which they began.
struct ProgressRecorder {
  private let layout: ProgressLayout
  /// Each list's steps, in order.
  private let lists: [[Int]]
  /// By day since the calendar's first; −1 for none yet.
  private var rowOfDay: [Int] = []
  private var rows: CounterRows
  private var increments: [Int32] = []

  init(_ layout: CounterLayout, lists: [[Int]]) {
    self.layout = ProgressLayout(layout)
    self.lists = lists
    rows = CounterRows(width: self.layout.count)
  }

  mutating func add(_ attempt: Attempt, day: Int) {
    let index = day - CivilCalendar.firstDay
    while rowOfDay.count <= index { rowOfDay.append(-1) }
    if rowOfDay[index] < 0 { rowOfDay[index] = rows.addRow() }
    increments.removeAll(keepingCapacity: true)
    note(layout.persons)
    let finished = attempt.outcome.isFinished
    if finished { note(layout.finished) }
    for (place, step) in lists[attempt.list].enumerated()
    where finished || attempt.furthestPlace > place {
      note(layout.past(step))
      if attempt.viewed & 1 << UInt64(step) != 0 { note(layout.viewed(step)) }
    }
    if finished {
      for (permission, answer) in attempt.permissions.enumerated()
      where answer.answer != .noResult {
        note(layout.answered(permission))
      }
    }
    rows.add(increments, to: rowOfDay[index])
  }

  private mutating func note(_ counter: Int) {
    increments.append(Int32(truncatingIfNeeded: counter))
  }

  /// The counts by day, since 1970-01-01.
  var days: [Int: [Int]] {
    var days: [Int: [Int]] = [:]
    for (index, row) in rowOfDay.enumerated() where row >= 0 {
      var counts = Array(repeating: 0, count: layout.count)
      rows.add(row, to: &counts)
      days[CivilCalendar.firstDay + index] = counts
    }
    return days
  }
}
