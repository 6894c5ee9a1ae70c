internal import Yams

/// Whom the flow leaves out.
extension FlowBuilder {
  /// After `entry`: leaving out all people who enter is a mistake.
  mutating func readLeaveOut(_ file: MappingReader) {
    var known: Set<EventPattern> = []
    var ids: Set<String> = []
    for node in list(file, "leave_out", .marks) {
      let what = "an item of 'leave_out'"
      guard
        let reader = MappingReader(
          node, what: what, allowed: ["event", "where", "ids"], diagnostics)
      else { continue }
      if reader.has("ids") {
        readIDs(reader, &ids)
      } else if let mark = mark(reader, in: what) {
        let pattern = EventPattern(event: mark.event ?? "", conditions: mark.conditions).canonical
        if known.insert(pattern).inserted {
          flow.leaveOut.marks.append(mark)
        } else {
          diagnostics.error(
            "'\(mark.described)' stands twice in 'leave_out'", at: node.place,
            found: mark.described)
        }
      }
    }
  }

  private mutating func readIDs(_ reader: MappingReader, _ known: inout Set<String>) {
    for key in ["event", "where"] where reader.has(key) {
      diagnostics.error(
        "'\(key)' can't stand beside 'ids': make two items of it, each of which leaves out",
        at: reader.keyMark(key), found: key)
    }
    let nodes = reader.list("ids") ?? []
    if nodes.isEmpty, reader.node("ids")?.sequence != nil {
      diagnostics.error(
        "'ids' needs at least one id", at: reader.keyMark("ids"), found: "an empty list")
    }
    for node in nodes {
      // As it stands there: ids are compared by their bytes, and 007 is not 7.
      guard let id = diagnostics.text(node, "an item of 'ids'") else { continue }
      if id.allSatisfy(\.isWhitespace) {
        diagnostics.error("an item of 'ids' is empty", at: node.place, found: id)
      } else if known.insert(id).inserted {
        flow.leaveOut.ids.append(id)
      } else {
        diagnostics.error("'\(id)' stands twice in 'ids'", at: node.place, found: id)
      }
    }
  }

  private mutating func mark(_ reader: MappingReader, in what: String) -> PersonMark? {
    let node = reader.node("event")
    let name = node.flatMap { diagnostics.name($0, "'event'") }
    let conditions = diagnostics.conditions(reader.node("where"))
    if reader.has("event"), name == nil { return nil }
    if conditions.isEmpty, reader.has("where") || name == nil {
      diagnostics.error(
        reader.has("where")
          ? "'where' of \(what) needs a property" : "\(what) needs 'event', 'where' or 'ids'",
        at: reader.has("where") ? reader.keyMark("where") : reader.mark, found: "nothing",
        allowed: ["where: {is_internal: true}", "event: NAME", "ids: [ID]"])
      return nil
    }
    if let name {
      ask(for: name, at: node?.place)
      if conditions.isEmpty, let why = everybody(having: name) {
        diagnostics.error(
          "'\(name)' alone would leave out all people who \(why): add 'where'", at: node?.place,
          found: name)
        return nil
      }
    }
    return PersonMark(event: name, conditions: conditions)
  }

  /// Who is left out by an event, where that is all people of the flow; `nil` where it isn't.
  private func everybody(having event: String) -> String? {
    if event == flow.entry?.event { return "enter the flow ('entry')" }
    let own = ["onboarding_started", "onboarding_page_viewed", "onboarding_completed"]
    return flow.entry == nil && own.contains(event) ? "go through the onboarding" : nil
  }
}
