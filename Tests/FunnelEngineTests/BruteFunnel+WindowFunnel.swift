import FlowDefinition
import FunnelEngine

// ClickHouse's function, by what its documentation says holds at each row.
extension BruteFunnel {
  private struct Row {
    var time: Int64
    var step: Int
    var fact: Int
  }

  private var modes: FunnelRules.Modes { rules.modes }

  /// How many steps the longest chain has.
  func windowFunnel() -> Int {
    let steps = funnel.steps.indices
    var rows: [Row] = []
    for (index, fact) in facts.enumerated() {
      let own = steps.filter { fact.steps & (1 << UInt64($0)) != 0 }
      rows += own.map { Row(time: fact.time, step: $0, fact: index) }
      if own.isEmpty && modes.contains(.strictOrder) {
        rows.append(Row(time: fact.time, step: -1, fact: index))
      }
    }
    rows.sort { ($0.time, $0.step, $0.fact) < ($1.time, $1.step, $1.fact) }
    var end = rows.count
    for (index, row) in rows.enumerated() {
      let hasEntry = rows[..<index].contains { $0.step == 0 }
      if row.step < 0 {
        if hasEntry {
          end = index
          break
        }
        continue
      }
      if row.step > 0, modes.contains(.strictDeduplication), isReached(row.step, rows[..<index]) {
        end = index
        break
      }
      if row.step > 0, modes.contains(.strictOrder), hasEntry,
        !isReached(row.step - 1, rows[..<index])
      {
        if modes.contains(.allowReentry) { continue }
        return steps.first { !isReached($0, rows[..<index]) } ?? steps.count
      }
      if isReached(steps.count - 1, rows[...index]) { return steps.count }
    }
    return (steps.last { isReached($0, rows[..<end]) } ?? -1) + 1
  }

  private func isReached(_ step: Int, _ rows: ArraySlice<Row>) -> Bool {
    modes.contains(.strictOnce) ? !chains(step, rows).isEmpty : chain(step, rows) != nil
  }

  /// When the chain that reached a step last among these rows began, and when it got there.
  private func chain(_ step: Int, _ rows: ArraySlice<Row>) -> (first: Int64, last: Int64)? {
    for index in rows.indices.reversed() where rows[index].step == step {
      let time = rows[index].time
      if step == 0 { return (time, time) }
      guard let before = chain(step - 1, rows[..<index]),
        time <= before.first + funnel.windowMilliseconds
      else { continue }
      if modes.contains(.strictIncrease) && before.last >= time { continue }
      return (before.first, time)
    }
    return nil
  }

  /// All chains to a step in which no fact comes twice.
  private func chains(_ step: Int, _ rows: ArraySlice<Row>) -> [[Row]] {
    rows.indices.filter { rows[$0].step == step }.flatMap { index -> [[Row]] in
      let row = rows[index]
      if step == 0 { return [[row]] }
      return chains(step - 1, rows[..<index]).filter { chain in
        row.time <= chain[0].time + funnel.windowMilliseconds
          && !chain.contains { $0.fact == row.fact }
          && (!modes.contains(.strictIncrease) || chain[chain.count - 1].time < row.time)
      }.map { $0 + [row] }
    }
  }
}
