package import FlowDefinition
package import FunnelEngine

/// A way of people through the flow: from one step to another, or to how the attempt ended
/// (definitions 7).
package struct Transition: Hashable {
  package enum Destination: Hashable {
    case step(Int)
    case end(TransitionLayout.End)
  }
  /// The direction is that of the list.
  package enum Kind: String {
    case forward, back
    /// After coming back to the attempt.
    case returned = "return"
    case end
  }

  /// Index into the flow's steps; −1 for the entry.
  package var from: Int
  package var to: Destination
  package var isReturn = false

  package init(from: Int, to: Destination, isReturn: Bool = false) {
    self.from = from
    self.to = to
    self.isReturn = isReturn
  }

  package var metric: MetricName { isReturn ? .stepReturn : .stepTransition }

  /// What stands in the rows' `step` column.
  package func name(_ flow: Flow) -> String {
    "\(Transition.name(from, flow))>\(destination(flow))"
  }

  package func destination(_ flow: Flow) -> String {
    switch to {
    case .step(let step): flow.steps[step].id
    case .end(let end): end.name
    }
  }

  package static func name(_ step: Int, _ flow: Flow) -> String {
    step < 0 ? "(entry)" : flow.steps[step].id
  }

  /// Every one that there can be with its counter, in the order of output.
  package static func all(_ layout: TransitionLayout) -> [(transition: Transition, counter: Int)] {
    (-1..<layout.stepCount).flatMap { from in
      let moves = [false, true].flatMap { isReturn in
        (0..<layout.stepCount).map { step in
          (
            Transition(from: from, to: .step(step), isReturn: isReturn),
            layout.move(from: from, to: step, isReturn: isReturn)
          )
        }
      }
      let ends = TransitionLayout.End.allCases.map { end in
        (Transition(from: from, to: .end(end)), layout.end(from: from, end))
      }
      return moves + ends
    }
  }

  /// - Parameters:
  ///   - places: the order of the people's list.
  ///   - order: that of the steps of all lists, for steps that aren't both in it.
  package func kind(_ places: StepPlaces, _ order: [Int]) -> Kind {
    if isReturn { return .returned }
    guard case .step(let step) = to else { return .end }
    guard from >= 0 else { return .forward }
    var positions = [from, step].compactMap { places.position($0) }
    if positions.count < 2 { positions = [from, step].compactMap(order.firstIndex) }
    return positions.count < 2 || positions[0] < positions[1] ? .forward : .back
  }
}
