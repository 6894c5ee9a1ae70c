internal import FlowDefinition

/// What a report of a drafted flow says first; `nil` where nothing is guessed.
enum GuessedSentence {
  static func of(_ flow: Flow) -> String? {
    guard let last = flow.guessed.last else { return nil }
    let before = flow.guessed.dropLast().map(\.words)
    let words = before.isEmpty ? last.words : "\(before.joined(separator: ", ")) and \(last.words)"
    let isMany = flow.guessed.count > 1 || last == .steps
    return """
      \(words.capitalizedFirst) \(isMany ? "are" : "is") a guess from the order of people's \
      events: read the flow file, then delete its line 'guessed'.
      """
  }
}
