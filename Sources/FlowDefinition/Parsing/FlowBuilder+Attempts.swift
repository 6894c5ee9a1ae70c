internal import Yams

/// Where attempts begin, and what is counted.
extension FlowBuilder {
  /// The event that begins an attempt. People of whom it is asked have mostly used the app before.
  mutating func readEntry(_ file: MappingReader) {
    guard let node = file.node("entry") else { return }
    if let scalar = node.scalar, scalar.string == "start" { return }
    guard
      let reader = MappingReader(
        node, what: "'entry'", allowed: ["event", "where"], diagnostics)
    else { return }
    flow.entry = pattern(reader, in: "'entry'")
    if !file.has("existing_users") { flow.existingUsers = .include }
  }

  mutating func readAttempts(_ file: MappingReader) {
    flow.counting = file.choice("count", CountingRule.self) ?? flow.counting
    if let node = file.node("new_attempt_after") {
      if node.scalar?.string == "never" {
        flow.newAttemptAfterMilliseconds = nil
      } else if let gap = diagnostics.duration(node, "'new_attempt_after'") {
        flow.newAttemptAfterMilliseconds = gap
      }
    }
    readHistory(file)
  }

  /// What lies further back than this must be able to change nothing.
  private mutating func readHistory(_ file: MappingReader) {
    guard let node = file.node("history"),
      let history = diagnostics.duration(node, "'history'")
    else { return }
    let gap = flow.newAttemptAfterMilliseconds ?? 0
    guard history >= max(flow.windowMilliseconds, gap) else {
      let window = DurationText.format(flow.windowMilliseconds)
      let found = DurationText.format(history)
      diagnostics.error(
        "'history' must be at least as long as 'window' (\(window)) and 'new_attempt_after' "
          + "(\(gap == 0 ? "never" : DurationText.format(gap))), found \(found)",
        at: node.place, found: found)
      return
    }
    flow.historyMilliseconds = history
  }
}
