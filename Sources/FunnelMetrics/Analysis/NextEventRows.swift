package import FlowDefinition
package import FunnelEngine

/// What people did next who dropped off, for slices that are not cut (definitions 7): of each step
/// the most frequent events, all others together, and nothing at all.
package struct NextEventRows {
  package static let metric = MetricName.stepNextEvent
  /// From the last view of the furthest step to the event.
  package static let median = MetricName.timeToNextEventP50
  /// So many events have a row of their own.
  package static let most = 3
  /// Why one of these is not the name of an event.
  package static let none = "(none)"
  package static let other = "(other)"

  /// What people did next at one step.
  private struct Place: Hashable {
    var slice: Slice
    /// Index into the flow's steps; −1 for the entry.
    var furthest: Int
  }

  package let tally: Tally
  package let flow: Flow
  package let unmeasured: Unmeasured

  package func build() -> [Slice: [MetricRow]] {
    var sums: [Place: [String: SparseTimes]] = [:]
    for (key, times) in tally.nextEvents {
      let name = name(key.event)
      for slice in SliceTable.groupSlices(key.group, flow) {
        sums[Place(slice: slice, furthest: key.furthest ?? -1), default: [:]][
          name, default: SparseTimes()
        ].merge(times)
      }
    }
    var rows: [Slice: [MetricRow]] = [:]
    for furthest in -1..<flow.steps.count {
      for slice in Set(sums.keys.lazy.filter { $0.furthest == furthest }.map(\.slice)) {
        let events = sums[Place(slice: slice, furthest: furthest)] ?? [:]
        rows[slice, default: []] += self.rows(slice, furthest, events)
      }
    }
    return rows
  }

  /// `onboarding_page_viewed=welcome` of a step, the event's name of all else.
  private func name(_ event: NextEvent) -> String {
    switch event {
    case .none: NextEventRows.none
    case .view(let step): NextEventRows.view(flow.steps[step].id)
    case .named(let name): name
    }
  }

  package static func view(_ step: String) -> String { "onboarding_page_viewed=\(step)" }

  private func rows(
    _ slice: Slice, _ furthest: Int, _ events: [String: SparseTimes]
  ) -> [MetricRow] {
    let step = furthest < 0 ? "(entry)" : flow.steps[furthest].id
    let all = events.values.reduce(0) { $0 + $1.count }
    let named = events.filter { $0.key != NextEventRows.none && $0.key != NextEventRows.other }
    let ranked = named.sorted { left, right in
      left.value.count != right.value.count
        ? left.value.count > right.value.count
        : left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
    var rest = events[NextEventRows.other] ?? SparseTimes()
    for (_, times) in ranked.dropFirst(NextEventRows.most) { rest.merge(times) }
    let isKnown = !unmeasured.contains(.stepDropOff, step: step)
    func rate(_ event: String, _ count: Int) -> MetricRow {
      var row = MetricRows.rate(
        slice, NextEventRows.metric, "\(step):\(event)", numerator: count, denominator: all,
        interval: flow.statistics.rateInterval)
      if !isKnown { (row.value, row.low, row.high) = (nil, nil, nil) }
      return row
    }
    func time(_ event: String, _ times: SparseTimes) -> MetricRow {
      MetricRow(
        slice: slice, metric: NextEventRows.median, step: "\(step):\(event)",
        value: times.percentile(50).map { Double($0) / 1000 }, unit: .seconds)
    }
    var rows = ranked.prefix(NextEventRows.most).flatMap {
      [rate($0.key, $0.value.count), time($0.key, $0.value)]
    }
    if rest.count > 0 {
      rows += [rate(NextEventRows.other, rest.count), time(NextEventRows.other, rest)]
    }
    if let none = events[NextEventRows.none] { rows.append(rate(NextEventRows.none, none.count)) }
    return rows
  }
}
