internal import EventInput
internal import Timelines

/// Which events of a dump play the parts of onboarding: those with FirstMile's own names, and of
/// the others those that were chosen.
struct DraftNames {
  /// The dump's name for each canonical event it seems to have.
  let nameOfPart: [String: String]
  /// Other names for the end, by which some people finish.
  let otherEnds: [RoleCandidate]
  /// Where screens or events stand in for pages, what they are called and where.
  let screens: DraftScreens?
  private let parts: [String: String]

  /// - Parameter counts: events by name.
  init(_ counts: [String: Int], _ guess: FlowGuess, _ choice: FlowChoice) {
    var names: [String: String] = [:]
    for name in CanonicalNames.events where counts[name] != nil { names[name] = name }
    let chosen = [
      ("onboarding_started", choice.start), ("onboarding_completed", choice.end),
      ("onboarding_skipped", choice.skip),
    ]
    for (part, name) in chosen where names[part] == nil { names[part] = name }
    otherEnds =
      names["onboarding_completed"] == choice.end
      ? guess.otherEnds(than: choice.end, from: choice.start) : []
    let taken = Set(names.values).union(otherEnds.map(\.name))
    // Of the names that could play a part the one that comes most, then the first of them.
    for (name, part) in guess.permissionParts.sorted(by: { $0.key < $1.key })
    where !taken.contains(name) {
      let known = names[part].flatMap { counts[$0] } ?? 0
      if counts[name] ?? 0 > known { names[part] = name }
    }
    var screens = names[DraftScreens.part] == nil ? guess.screens : nil
    let played = Set(names.values).union(otherEnds.map(\.name))
    let steps = (choice.steps ?? []).filter { !played.contains($0) }
    if screens == nil, !guess.namesSteps, !steps.isEmpty {
      screens = DraftScreens(
        pageOfEvent: Dictionary(steps.map { ($0, $0) }) { first, _ in first })
    }
    if let event = screens?.event { names[DraftScreens.part] = event }
    nameOfPart = names
    var parts = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
    for end in otherEnds { parts[end.name] = "onboarding_completed" }
    for name in screens?.pageOfEvent.keys.sorted() ?? [] { parts[name] = DraftScreens.part }
    self.screens = screens
    self.parts = parts
  }

  /// The canonical event that a name of the dump stands for.
  func part(_ name: String) -> String? { parts[name] }

  /// The dump's names for a canonical event: several for an end that comes by several ways.
  func names(of part: String) -> [String] {
    [nameOfPart[part]].compactMap { $0 }
      + (part == "onboarding_completed" ? otherEnds.map(\.name) : [])
  }

  /// Names that have to be mapped in the flow file, in canonical order.
  var mappings: [(from: String, to: String)] {
    CanonicalNames.events.flatMap { part in
      names(of: part).compactMap { $0 == part ? nil : ($0, part) }
    } + (screens?.pageOfEvent.keys.sorted() ?? []).map { ($0, DraftScreens.part) }
  }

  /// Prompts and answers that name their permission, by the words in their names: their order says
  /// nothing about them.
  static func permissionParts(_ timelines: SampledTimelines) -> [String: String] {
    var parts: [String: String] = [:]
    for person in timelines.people {
      for event in person where parts[event.event] == nil {
        guard let part = permissionPart(of: event.event),
          event.value("properties.permission") != nil
        else { continue }
        parts[event.event] = part
      }
    }
    return parts
  }

  private static func permissionPart(of name: String) -> String? {
    let text = name.lowercased()
    func has(_ words: String...) -> Bool { words.contains { text.contains($0) } }
    guard has("permission", "push prompt", "push_prompt") else { return nil }
    if has("result", "grant", "den", "respon", "answer", "status") { return "permission_result" }
    return has("prompt", "ask", "request") ? "permission_prompted" : nil
  }
}
