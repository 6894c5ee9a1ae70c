/// Counts by time, merged and ascending, with how many are still at risk at each.
struct SurvivalTable {
  struct Row {
    let time: Double
    let atRisk: Int
    let events: [Int]
    let allEvents: Int
  }

  let rows: [Row]
  let total: Int

  /// Rows with more or fewer events than causes are cut or filled with zeros.
  init(_ counts: [(time: Double, events: [Int], censored: Int)], causes: Int) {
    var merged: [(time: Double, events: [Int], censored: Int)] = []
    var total = 0
    for count in counts.filter({ $0.time.isFinite }).sorted(by: { $0.time < $1.time }) {
      // What would carry the total past the largest integer is left out.
      var room = Int.max - total
      func taken(_ wanted: Int) -> Int {
        let taken = min(max(0, wanted), room)
        room -= taken
        return taken
      }
      let events = (0..<causes).map {
        taken(count.events.indices.contains($0) ? count.events[$0] : 0)
      }
      let censored = taken(count.censored)
      total = Int.max - room
      if let last = merged.last, last.time == count.time {
        merged[merged.count - 1] = (
          last.time, zip(last.events, events).map { $0 + $1 }, last.censored + censored
        )
      } else {
        merged.append((count.time, events, censored))
      }
    }
    self.total = total
    var atRisk = total
    rows = merged.compactMap { row in
      let allEvents = row.events.reduce(0, +)
      defer { atRisk -= allEvents + row.censored }
      guard allEvents + row.censored > 0 else { return nil }
      return Row(time: row.time, atRisk: atRisk, events: row.events, allEvents: allEvents)
    }
  }
}
