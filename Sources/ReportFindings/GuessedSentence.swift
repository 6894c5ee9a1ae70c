internal import FlowDefinition
internal import ReportText

/// What a report of a drafted flow says first; `nil` where nothing is guessed.
struct GuessedSentence {
  /// What is a guess.
  let claim: String
  /// What the numbers are of, and what to do about it.
  let detail: String

  init?(_ flow: Flow) {
    guard let last = flow.guessed.last else { return nil }
    let before = flow.guessed.dropLast().map(\.words)
    let words = before.isEmpty ? last.words : "\(before.joined(separator: ", ")) and \(last.words)"
    let isMany = flow.guessed.count > 1 || last == .steps
    let verb = isMany ? "are" : "is"
    claim = "\(words.capitalizedFirst) \(verb) a guess from the order of people's events."
    detail =
      GuessedSentence.meanings(flow).capitalizedFirst
      + "Please read the flow file, then delete its line 'guessed'."
  }

  /// What the numbers are of: `"finished" is 'Order Placed'`.
  private static func meanings(_ flow: Flow) -> String {
    func sent(_ event: String) -> String {
      let names = flow.eventNames.filter { $0.to == event }.map(\.from)
      return (names.isEmpty ? [event] : names).map { "'\(SafeText.name($0, limit: 40))'" }
        .joined(separator: " or ")
    }
    let meanings = flow.guessed.compactMap { part -> String? in
      switch part {
      case .start: "\"entered\" is \(sent("onboarding_started"))"
      case .end: "\"finished\" is \(sent("onboarding_completed")), be that a success or not"
      case .steps: nil
      case .experiment:
        "chance is taken to have assigned people to the experiment, in shares that are unknown"
      }
    }
    return meanings.isEmpty ? "" : meanings.joined(separator: ", ") + ". "
  }
}
