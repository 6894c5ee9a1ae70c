/// Which events of a dump play the parts of onboarding, where they have names of their own:
/// told by the words in them.
struct DraftNames {
  /// The dump's name for each canonical event it seems to have.
  let nameOfPart: [String: String]
  /// Where screens stand in for pages, what they are called and where.
  let screens: DraftScreens?
  private let parts: [String: String]

  /// - Parameter counts: events by name.
  init(_ counts: [String: Int]) {
    var names: [String: String] = [:]
    for name in CanonicalNames.events where counts[name] != nil { names[name] = name }
    if names.isEmpty {
      // Of the names that could play a part the one that comes most, then the first of them.
      for (name, count) in counts {
        guard let part = DraftNames.part(of: name) else { continue }
        guard let known = names[part], let most = counts[known] else {
          names[part] = name
          continue
        }
        if (most, name) < (count, known) { names[part] = name }
      }
    }
    let screens = names[DraftScreens.part] == nil ? DraftScreens(counts) : nil
    if let event = screens?.event { names[DraftScreens.part] = event }
    nameOfPart = names
    var parts = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
    for name in screens?.pageOfEvent.keys.sorted() ?? [] { parts[name] = DraftScreens.part }
    self.screens = screens
    self.parts = parts
  }

  /// The canonical event that a name of the dump stands for.
  func part(_ name: String) -> String? { parts[name] }

  /// Names that have to be mapped in the flow file, in canonical order.
  var mappings: [(from: String, to: String)] {
    CanonicalNames.events.compactMap { part in
      nameOfPart[part].flatMap { $0 == part ? nil : ($0, part) }
    } + (screens?.pageOfEvent.keys.sorted() ?? []).map { ($0, DraftScreens.part) }
  }

  private static func find(_ word: StaticString, in text: String) -> Bool {
    let (text, length) = (text.utf8, word.utf8CodeUnitCount)
    return word.withUTF8Buffer { word in
      var start = text.startIndex
      for _ in 0..<max(0, text.count - length + 1) {
        if text[start...].starts(with: word) { return true }
        start = text.index(after: start)
      }
      return false
    }
  }

  /// What an event is by the words in its name.
  private static func part(of name: String) -> String? {
    let text = name.lowercased()
    // A dump may have as many names as events: most have none of these words.
    func has(_ words: StaticString...) -> Bool { words.contains { DraftNames.find($0, in: text) } }
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
