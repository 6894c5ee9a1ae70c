internal import FlowDefinition

extension Report {
  /// The summary that a run prints: what a reader needs first, on one page.
  public func terminalSummary(style: TerminalStyle) -> String {
    let persons = analysis.row("persons")?.numerator ?? 0
    let entered = analysis.row("entered")?.numerator ?? 0
    return "\(SafeText.name(analysis.flow.title))\n\(entered) entered, \(persons) mature\n"
  }
}
