/// Which events of a dump play the parts of onboarding, where they have names of their own:
/// told by the words in them.
struct DraftNames {
  /// The dump's name for each canonical event it seems to have.
  let nameOfPart: [String: String]
  private let parts: [String: String]

  /// - Parameter counts: events by name.
  init(_ counts: [String: Int]) {
    var names: [String: String] = [:]
    for name in CanonicalNames.events where counts[name] != nil { names[name] = name }
    if names.isEmpty {
      let order = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      for part in CanonicalNames.events {
        let found = order.first { DraftNames.part(of: $0.key) == part }
        if let found { names[part] = found.key }
      }
    }
    nameOfPart = names
    parts = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
  }

  /// The canonical event that a name of the dump stands for.
  func part(_ name: String) -> String? { parts[name] }

  /// Names that have to be mapped in the flow file, in canonical order.
  var mappings: [(from: String, to: String)] {
    CanonicalNames.events.compactMap { part in
      nameOfPart[part].flatMap { $0 == part ? nil : ($0, part) }
    }
  }

  /// What an event is by the words in its name.
  private static func part(of name: String) -> String? {
    let text = name.lowercased()
    func has(_ words: String...) -> Bool { words.contains { text.contains($0) } }
    if has("permission", "push prompt", "push_prompt") {
      if has("result", "grant", "den", "respon", "answer", "status") { return "permission_result" }
      return has("prompt", "ask", "request") ? "permission_prompted" : nil
    }
    guard has("onboarding", "tutorial", "walkthrough", "first run", "first_run", "intro") else {
      return nil
    }
    if has("skip") {
      return has("step", "page", "item") ? "onboarding_step_skipped" : "onboarding_skipped"
    }
    if has("view", "screen", "page", "step") { return "onboarding_page_viewed" }
    if has("start", "begin", "began") { return "onboarding_started" }
    if has("complete", "finish", "done", "end") { return "onboarding_completed" }
    return nil
  }
}
