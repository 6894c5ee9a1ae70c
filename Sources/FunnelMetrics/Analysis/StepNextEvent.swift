/// What some of the people did next who dropped off at a step.
package struct StepNextEvent {
  /// The event's name, `onboarding_page_viewed=STEP`, `(other)` or `(none)`.
  package var event: String
  /// Of all who dropped off there.
  package var count: Datum
  /// Until then; `nil` of those who did nothing more.
  package var median: Datum?
}

extension Analysis {
  /// What people did next who dropped off at a step or `(entry)`: the most frequent events, then
  /// all others, then nothing.
  package func nextEvents(after step: String, in slice: Slice) -> [StepNextEvent] {
    (nextEventNames[slice]?[step] ?? []).compactMap { event in
      let name = "\(step):\(event)"
      return datum(NextEventRows.metric, step: name, in: slice).map {
        StepNextEvent(
          event: event, count: $0, median: datum(NextEventRows.median, step: name, in: slice))
      }
    }
  }

  /// The events of all rows, by slice and step.
  static func nextEventNames(_ rows: [MetricRow]) -> [Slice: [String: [String]]] {
    var names: [Slice: [String: [String]]] = [:]
    for index in rows.indices where rows[index].metric == NextEventRows.metric {
      let row = rows[index]
      let step = String(row.step.prefix { $0 != ":" })
      names[row.slice, default: [:]][step, default: []].append(
        String(row.step.dropFirst(step.count + 1)))
    }
    return names
  }
}
