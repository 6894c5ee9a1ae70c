internal import FlowDefinition
internal import FunnelEngine

/// Where the persons of a slice are at one step: the parts add up to those who are shown it.
public struct StepBalance: Sendable, Hashable {
  /// Index into `Flow.steps`.
  public var step: Int
  /// From 1, in the slice's list; `nil` where only others of its persons have the step.
  public var position: Int?
  /// Persons whose list has the step. 0 in a slice with persons: the step is absent.
  public var listed: Int
  /// Viewed it, and finished or viewed a later step.
  public var advanced: Int
  /// Got no further than this step, which they viewed, and left by skipping.
  public var leftSkipping: Int
  /// Abandoned here, other than right after a denied permission.
  public var abandonedOtherwise: Int
  /// Got no further than this step, which they viewed, and abandoned right after denying a
  /// permission.
  public var abandonedAfterDenial: Int
  /// Not viewed, though a later step was; for a branch or optional step: not taken.
  public var bypassed: Int
  /// Gone before they could see it.
  public var leftBefore: Int

  /// Persons who viewed the step, whatever became of them.
  public var viewed: Int { advanced + leftSkipping + abandonedOtherwise + abandonedAfterDenial }
  /// Whether no person of the slice has the step in their list.
  public var isAbsent: Bool { listed == 0 }

  /// The steps of a slice in the order of its list; those that no compared slice has are left out.
  ///
  /// Where the list keeps the flow's order, steps of the flow that it lacks stand in their place,
  /// so that the funnels of variants line up.
  package static func all(_ slice: Slice, _ analysis: Analysis) -> [StepBalance] {
    let table = analysis.slices
    let layout = table.layout
    let places = StepPlaces(slice, analysis.flow)
    let compared = analysis.funnelSlices
    let listed = places.order.filter { places.position($0) != nil }
    // The common order of all lists, unless the slice's own list contradicts it.
    let common = StepOrder.all(analysis.flow)
    let shared = common.filter(Set(listed).contains)
    let order = listed == shared ? common : places.order
    return order.compactMap { step in
      let position = places.position(step)
      let isShown =
        position != nil || compared.contains { table.count($0, layout[.listed, step]) > 0 }
      guard isShown else { return nil }
      func count(_ counter: CounterLayout.Step) -> Int {
        table.count(slice, layout[counter, step])
      }
      let afterDenial = count(.abandonedAfterDenial)
      return StepBalance(
        step: step, position: position, listed: count(.listed), advanced: count(.advanced),
        leftSkipping: count(.leftSkipping),
        abandonedOtherwise: count(.abandonedHere) - afterDenial,
        abandonedAfterDenial: afterDenial, bypassed: count(.bypassed),
        leftBefore: max(0, count(.listed) - count(.viewed) - count(.bypassed)))
    }
  }
}
