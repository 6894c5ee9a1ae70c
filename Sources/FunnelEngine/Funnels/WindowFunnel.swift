internal import FlowDefinition

/// ClickHouse's `windowFunnel` by its documentation: rows in the order of time and step, one row
/// may be several steps, and for each step the chain that reached it last is kept.
///
/// Modes: `strict_order` ends where another event, or a step out of turn, comes between;
/// `strict_increase` wants each step later than the one before; `strict_deduplication` ends where a
/// step comes again.
struct WindowFunnel {
  private let tracer: FunnelTracer
  private let modes: FunnelRules.Modes

  init(_ tracer: FunnelTracer) {
    self.tracer = tracer
    modes = tracer.rules.modes
  }

  /// A chain that has reached a step.
  private struct Chain {
    var entry: Int
    var times: [Int64]
  }

  private struct Row {
    var item: FunnelTracer.Item
    /// The step's index; −1 for an event that is no step.
    var step: Int
  }

  /// The person's path; nil where the level is 0.
  func path(_ items: [FunnelTracer.Item]) -> FunnelPath? {
    var chains: [Chain?] = Array(repeating: nil, count: tracer.steps.count)
    var hasEntry = false
    for row in rows(items) {
      if row.step < 0 {
        if hasEntry { break }
        continue
      }
      if row.step == 0 {
        if let times = tracer.entryTimes, !times.contains(row.item.time) { continue }
        chains[0] = Chain(entry: row.item.index, times: [row.item.time])
        hasEntry = true
        if chains.count == 1 { break }
        continue
      }
      if modes.contains(.strictDeduplication), chains[row.step] != nil { break }
      guard let before = chains[row.step - 1] else {
        // A step out of turn ends the search at the first step that is missing.
        if modes.contains(.strictOrder), hasEntry {
          let level = chains.firstIndex { $0 == nil } ?? chains.count
          return level == 0 ? nil : path(chains, level: level)
        }
        continue
      }
      guard row.item.time <= before.times[0] + tracer.funnel.windowMilliseconds,
        !modes.contains(.strictIncrease) || (before.times.last ?? 0) < row.item.time
      else { continue }
      chains[row.step] = Chain(entry: before.entry, times: before.times + [row.item.time])
      if row.step == chains.count - 1 { break }
    }
    let level = (chains.lastIndex { $0 != nil } ?? -1) + 1
    return level == 0 ? nil : path(chains, level: level)
  }

  private func path(_ chains: [Chain?], level: Int) -> FunnelPath? {
    guard let chain = chains[level - 1] else { return nil }
    let rest = Array(repeating: Int64?.none, count: chains.count - level)
    return FunnelPath(entry: chain.entry, times: chain.times.map { $0 } + rest)
  }

  /// A row for each step that a fact is; with `strict_order` one for those that are none, too.
  private func rows(_ items: [FunnelTracer.Item]) -> [Row] {
    var rows: [Row] = []
    for item in items {
      var isStep = false
      for (step, bits) in tracer.steps.enumerated() where item.patterns & bits != 0 {
        rows.append(Row(item: item, step: step))
        isStep = true
      }
      if !isStep && modes.contains(.strictOrder) { rows.append(Row(item: item, step: -1)) }
    }
    return rows.enumerated().sorted { left, right in
      let times = (left.element.item.time, right.element.item.time)
      if times.0 != times.1 { return times.0 < times.1 }
      return left.element.step != right.element.step
        ? left.element.step < right.element.step : left.offset < right.offset
    }.map(\.element)
  }
}
