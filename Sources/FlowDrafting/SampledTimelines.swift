internal import EventInput

/// The events of a sample by person, each person's in the order of time.
struct SampledTimelines {
  let people: [[SampledEvent]]

  init(_ events: [SampledEvent]) {
    people = Dictionary(grouping: events.enumerated(), by: { $0.element.person })
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { _, events in
        events.sorted { left, right in
          let times = (left.element.timeMilliseconds, right.element.timeMilliseconds)
          return times.0 != times.1 ? times.0 < times.1 : left.offset < right.offset
        }.map(\.element)
      }
  }
}
