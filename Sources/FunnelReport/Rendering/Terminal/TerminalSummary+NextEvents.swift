internal import FlowDefinition
internal import FunnelMetrics
internal import ReportFindings
internal import ReportText

extension TerminalSummary {
  /// What people did next who dropped off, step by step, and what a step is worth.
  mutating func addNextEvents() {
    let words = NextEventWords(analysis: analysis)
    let sentences = flow.steps.compactMap { words.sentence($0)?.text }
    guard !sentences.isEmpty else { return }
    page.heading("WHAT THEY DID NEXT", note: "first event after the step they dropped off at")
    for sentence in sentences { page.paragraph(sentence) }
    guard let whatIf = WhatIf.largest(WhatIf.all(analysis, in: report.leading)) else { return }
    page.paragraph("\(WhatIfWords.sentence(whatIf, analysis)) \(WhatIfWords.note)")
  }
}
