internal import FlowDefinition
package import FunnelMetrics
internal import ReportText

/// The what-if in words.
package enum WhatIfWords {
  /// `If Sign in lost 10 % instead of 19.3 %, completion would be 57.1 % instead of 50.8 %: 24
  /// more of 380 people.`
  package static func sentence(_ whatIf: WhatIf, _ analysis: Analysis) -> Sentence {
    let title = SafeText.name(analysis.flow.steps[whatIf.step].title, limit: 60)
    let completion = whatIf.completion(ifItLost: whatIf.halved)
    let more = Int((completion * Double(whatIf.persons)).rounded()) - whatIf.finished
    let then = RateText.percent(completion)
    let now = analysis.datum(.completionRate, in: whatIf.slice)?.saidRate ?? "–"
    return """
      If \(title) lost \(RateText.percent(whatIf.halved)) instead of \(whatIf.dropOff.saidRate), \
      completion\(of(whatIf.slice, analysis)) would be \(then) instead of \(now): \
      \(NumberText.grouped(more)) more of \(NumberText.grouped(whatIf.persons)) people.
      """
  }

  /// ` of flow version 2`; nothing of everyone.
  package static func of(_ slice: Slice, _ analysis: Analysis) -> String {
    slice == .all ? "" : " of \(analysis.label(slice))"
  }

  /// What the sentence is worth.
  package static let note =
    "Arithmetic, not a forecast: the people who would stay are taken to finish as often as those "
    + "who went on from the step."
}
