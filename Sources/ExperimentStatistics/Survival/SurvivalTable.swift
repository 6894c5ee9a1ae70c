/// Counts by time, merged and ascending, with how many are still at risk at each.
struct SurvivalTable {
  struct Row {
    let time: Double
    var atRisk = 0
    var allEvents = 0
    var censored = 0
  }

  private(set) var rows: [Row] = []
  private(set) var total = 0
  private let causes: Int
  /// The events of all rows, a count for each cause, one row after the other: there are thousands
  /// of rows, and an array for each would take longer than the counting.
  private var events: [Int] = []

  /// Endings by causes that there are not are left out, and so is what would carry the total past
  /// the largest integer.
  init(_ endings: [Ending], causes: Int) {
    self.causes = causes
    let counted = endings.filter { $0.time.isFinite && $0.count > 0 && $0.cause ?? 0 < causes }
    for ending in counted.sorted(by: { $0.time < $1.time }) { add(ending) }
    var atRisk = total
    for row in rows.indices {
      rows[row].atRisk = atRisk
      atRisk -= rows[row].allEvents + rows[row].censored
    }
  }

  /// How many ended by a cause in a row.
  func events(_ row: Int, cause: Int) -> Int { events[row * causes + cause] }

  private mutating func add(_ ending: Ending) {
    let count = min(ending.count, Int.max - total)
    guard count > 0 else { return }
    total += count
    if rows.last?.time != ending.time {
      rows.append(Row(time: ending.time))
      events.append(contentsOf: repeatElement(0, count: causes))
    }
    let row = rows.count - 1
    guard let cause = ending.cause else {
      rows[row].censored += count
      return
    }
    rows[row].allEvents += count
    events[row * causes + cause] += count
  }
}
