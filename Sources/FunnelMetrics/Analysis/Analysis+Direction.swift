internal import FlowDefinition
internal import FunnelEngine

extension Analysis {
  /// Which way people of a slice went from one step to another.
  ///
  /// Where variants have the same steps in another order, one move is forward in one list and back
  /// in another: of everyone it is what it was for most of those who made it.
  package func kind(of way: Transition, in slice: Slice) -> Transition.Kind {
    let order = StepOrder.all(flow)
    let own = way.kind(StepPlaces(slice, flow), order)
    guard slice == .all, own == .forward || own == .back else { return own }
    func count(_ slice: Slice) -> Int {
      datum(way.metric, step: way.name(flow), in: slice)?.row.numerator ?? 0
    }
    let reordering = flow.experiments.filter { $0.variants.contains { $0.steps != nil } }
    for experiment in reordering {
      var people: [Transition.Kind: Int] = [:]
      for variant in experiment.variants {
        let part = Slice(experiment: experiment.id, variant: variant.id)
        people[way.kind(StepPlaces(part, flow), order), default: 0] += count(part)
      }
      // People without a variant have the flow's own list.
      people[own, default: 0] += max(0, count(.all) - people.values.reduce(0, +))
      let (forward, back) = (people[.forward] ?? 0, people[.back] ?? 0)
      if own == .forward ? back > forward : forward > back {
        return own == .forward ? .back : .forward
      }
    }
    return own
  }
}
