import FlowDefinition

/// Ways between steps and next events, of slices that are not cut.
extension ReferenceSlices {
  func ways(of members: [ReferencePerson], in slice: Slice) -> [ReferenceRow] {
    let mature = members.filter(\.attempt.isMature)
    let all = mature.map { person in
      (person, Whereabouts(flow: flow, attempt: person.attempt, steps: person.steps))
    }
    return transitions(all, slice) + nextEvents(all.compactMap { $1.next }, slice)
  }

  private func transitions(
    _ people: [(ReferencePerson, Whereabouts)], _ slice: Slice
  ) -> [ReferenceRow] {
    var counts: [Whereabouts.Way: Int] = [:]
    for (_, whereabouts) in people {
      for way in whereabouts.ways { counts[way, default: 0] += 1 }
    }
    return counts.map { way, count in
      let step = flow.stepIndex(way.from)
      let viewers = people.count { person, _ in step.map(person.steps.viewed) ?? true }
      let metric = way.isReturn ? "step_return" : "step_transition"
      return row(slice, Cell(metric: metric, step: "\(way.from)>\(way.to)"), count, of: viewers)
    }
  }

  private func nextEvents(
    _ next: [(step: String, event: String, milliseconds: Int64?)], _ slice: Slice
  ) -> [ReferenceRow] {
    Set(next.map(\.step)).flatMap { step -> [ReferenceRow] in
      let here = next.filter { $0.step == step }
      let names = Set(here.map(\.event)).subtracting(["(none)"]).sorted { left, right in
        let counts = [left, right].map { name in here.count { $0.event == name } }
        if counts[0] != counts[1] { return counts[0] > counts[1] }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
      }
      func rows(_ label: String, _ events: Set<String>) -> [ReferenceRow] {
        let own = here.filter { events.contains($0.event) }
        if own.isEmpty { return [] }
        let place = "\(step):\(label)"
        let edge = StepTiming.percentile(50, of: own.compactMap(\.milliseconds))
        let count = row(
          slice, Cell(metric: "step_next_event", step: place), own.count, of: here.count)
        guard let edge else { return [count] }
        return [
          count, row(slice, Cell(metric: "time_to_next_event_p50", step: place), Int(edge)),
        ]
      }
      return names.prefix(3).flatMap { rows($0, [$0]) }
        + rows("(other)", Set(names.dropFirst(3))) + rows("(none)", ["(none)"])
    }
  }
}
