internal import Timelines

/// Counts people by the version of the flow and the day on which they started, by codes.
struct VersionDayRecorder {
  private let columns: ClusterColumns
  /// Versions are compared where the flow names its newest.
  private let isCounted: Bool
  /// By version and day since the calendar's first; behind the key the columns.
  private var rows: KeyedRows
  private var key: [UInt32] = [0, 0]

  init(_ layout: CounterLayout, isCounted: Bool) {
    columns = ClusterColumns(layout)
    self.isCounted = isCounted
    rows = KeyedRows(keyWidth: 2, width: 2 + columns.counters.count)
  }

  /// Adds one to the first `listed` of some counters.
  mutating func add(_ attempt: Attempt, day: Int, _ increments: [Int32], _ listed: Int) {
    guard isCounted else { return }
    key[0] = attempt.version
    key[1] = UInt32(truncatingIfNeeded: day - CivilCalendar.firstDay)
    let row = rows.row(key, at: 0, hash: rows.hash(key, at: 0))
    for place in 0..<listed {
      if let column = columns.column(increments[place]) { rows.add(1, to: row, 2 + column) }
    }
  }

  /// Adds what was counted to the table, with the versions' names.
  func name(_ compiled: CompiledFlow, _ table: inout VersionDays) {
    for row in 0..<rows.count {
      let key = VersionDays.Key(
        version: compiled.versionName(rows.word(row, 0)),
        day: CivilCalendar.firstDay + Int(rows.word(row, 1)))
      table.add(key, (2..<rows.width).map { Int(rows.word(row, $0)) })
    }
  }
}
