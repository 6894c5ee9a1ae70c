internal import FlowDefinition

/// What completion would be if a step lost another share of the people who reach it: arithmetic,
/// and no forecast. It takes those who would stay to finish as often as those who went on from the
/// step did.
package struct WhatIf {
  /// Whose: everyone, or the people of one version.
  package let slice: Slice
  /// Index into the flow's steps.
  package let step: Int
  /// People who viewed the step, who left there, and who finished after viewing it.
  package let viewed: Int
  package let left: Int
  package let finishedViewers: Int
  /// All of the slice, and who finished.
  package let persons: Int
  package let finished: Int
  /// The share that leaves at the step.
  package let dropOff: Datum

  /// Steps that somebody left and somebody went on from, in the flow's order.
  package static func all(_ analysis: Analysis, in slice: Slice = .all) -> [WhatIf] {
    let unmeasured = analysis.unmeasured
    guard !unmeasured.hasNoViews, !unmeasured.hasNoCompletions,
      let completion = analysis.row(.completionRate, in: slice),
      let finished = completion.numerator,
      let persons = completion.denominator, persons > 0
    else { return [] }
    return analysis.flow.steps.enumerated().compactMap { index, step in
      guard let dropOff = analysis.datum(.stepDropOff, step: step.id, in: slice),
        let left = dropOff.row.numerator, let viewed = dropOff.row.denominator,
        left > 0, viewed > left,
        let viewers = analysis.row(.stepCompletion, step: step.id, in: slice)?.numerator
      else { return nil }
      return WhatIf(
        slice: slice, step: index, viewed: viewed, left: left, finishedViewers: viewers,
        persons: persons,
        finished: finished, dropOff: dropOff)
    }
  }

  /// That of the step which loses the most people; of equals the first.
  package static func largest(_ all: [WhatIf]) -> WhatIf? {
    all.reversed().max { $0.left < $1.left }
  }

  /// The share of all of them who would finish.
  ///
  /// - Parameter dropOff: the share of the step's viewers who would leave there.
  package func completion(ifItLost dropOff: Double) -> Double {
    let kept = Double(left) - dropOff * Double(viewed)
    let rate = Double(finishedViewers) / Double(viewed - left)
    return (Double(finished) + kept * rate) / Double(persons)
  }

  /// About half of what the step loses now, in whole percent where that is less.
  package var halved: Double {
    let half = Double(left) / Double(viewed) / 2
    let whole = (half * 100).rounded(.toNearestOrEven) / 100
    return whole > 0 && whole < 2 * half ? whole : half
  }
}
