package import FlowDefinition
internal import FunnelEngine

/// Two steps that many people see in another order than their list has.
package struct StepsInOtherOrder {
  /// The version whose list it is, or everyone.
  package let slice: Slice
  /// Seen first, though it comes later in the list.
  package let later: Step
  /// Seen after it.
  package let earlier: Step
  /// So many people at least saw `later` before they saw `earlier` for the first time.
  package let people: Int
  /// Of how many who saw `earlier`.
  package let viewers: Int

  package var share: Double { viewers > 0 ? Double(people) / Double(viewers) : 0 }

  /// A smaller share may do so in an app that has the steps as declared.
  static let leastShare = 0.2
  static let fewestPeople = 20

  /// The pair that most people see in another order; `nil` where few do, where variants have lists
  /// of their own, and where no step is seen.
  ///
  /// Of the people who go from one step back to another those who had seen that one before *went
  /// back* to it (definitions 7); the others see it for the first time.
  package init?(_ analysis: Analysis) {
    let flow = analysis.flow
    guard !analysis.unmeasured.hasNoViews, flow.counting == .persons,
      !flow.experiments.contains(where: { $0.variants.contains { $0.steps != nil } })
    else { return nil }
    let slices = analysis.seenVersions.count > 1 ? analysis.seenVersions : [Slice.all]
    let found = slices.flatMap { StepsInOtherOrder.all(analysis, $0) }
    guard let most = found.max(by: { $0.people < $1.people }) else { return nil }
    self = most
  }

  private static func all(_ analysis: Analysis, _ slice: Slice) -> [StepsInOtherOrder] {
    let flow = analysis.flow
    let places = StepPlaces(slice, flow)
    return analysis.transitions(in: slice).compactMap { transition, datum in
      guard !transition.isReturn, transition.from >= 0, case .step(let to) = transition.to,
        let from = places.position(transition.from), let place = places.position(to), place < from,
        let back = analysis.row(.stepWentBack, step: flow.steps[to].id, in: slice),
        let viewers = back.denominator
      else { return nil }
      let people = (datum.row.numerator ?? 0) - (back.numerator ?? 0)
      let found = StepsInOtherOrder(
        slice: slice, later: flow.steps[transition.from], earlier: flow.steps[to], people: people,
        viewers: viewers)
      return people >= fewestPeople && found.share >= leastShare ? found : nil
    }
  }

  private init(slice: Slice, later: Step, earlier: Step, people: Int, viewers: Int) {
    (self.slice, self.later, self.earlier) = (slice, later, earlier)
    (self.people, self.viewers) = (people, viewers)
  }
}
