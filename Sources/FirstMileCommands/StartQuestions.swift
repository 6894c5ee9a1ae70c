import FlowDefinition
import FlowDrafting

/// The questions of `start`: each with the evidence, a default in brackets and numbered
/// alternatives. What FirstMile's own event names leave no doubt about isn't asked.
struct StartQuestions {
  private let guess: FlowGuess
  private let terminal = QuestionTerminal()

  init(_ guess: FlowGuess) { self.guess = guess }

  /// What was chosen; `nil` where somebody left.
  func asked() -> FlowChoice? {
    var choice = guess.choice
    guard askStart(&choice), askEnd(&choice), askSteps(&choice), askVariant(&choice),
      askActivity(&choice)
    else { return nil }
    choice.isConfirmed = true
    return choice
  }

  private func askStart(_ choice: inout FlowChoice) -> Bool {
    // With nearly everybody it is clear.
    let isClear = guess.starts.first.map { $0.name == choice.start && $0.share >= 0.95 } ?? true
    if isClear {
      if let start = guess.starts.first {
        Console.message("the onboarding begins with '\(start.name)': \(start.evidence)")
      }
      return true
    }
    let options = guess.starts.map { QuestionTerminal.Option(name: $0.name, words: $0.evidence) }
    guard
      let number = terminal.choose(
        "Where does the onboarding begin?", options, none: "with the first step",
        standard: choice.start == nil ? 0 : 1)
    else { return false }
    choice.start = number == 0 ? nil : guess.starts[number - 1].name
    return true
  }

  private func askEnd(_ choice: inout FlowChoice) -> Bool {
    let ends = guess.ends(from: choice.start)
    if ends.isEmpty { return true }
    let standard = ends.firstIndex { $0.name == choice.end }.map { $0 + 1 } ?? 0
    let question =
      standard == 0
      ? "Which event says that somebody has finished the onboarding?"
      : "Is '\(HiddenScalars.escaped(ends[standard - 1].name))' the end?"
    let options = ends.map { QuestionTerminal.Option(name: $0.name, words: $0.evidence) }
    guard
      let number = terminal.choose(
        question, options, none: "none of these: completion stays unknown", standard: standard)
    else { return false }
    choice.end = number == 0 ? nil : ends[number - 1].name
    choice.windowDays = guess.windowDays(to: choice.end)
    for other in guess.otherEnds(than: choice.end, from: choice.start) {
      Console.message("'\(other.name)' is an end, too: \(other.evidence)")
    }
    return true
  }

  private func askSteps(_ choice: inout FlowChoice) -> Bool {
    if guess.namesSteps { return true }
    let steps = guess.steps(from: choice.start, to: choice.end)
    if steps.isEmpty {
      choice.steps = nil
      return true
    }
    let options = steps.map { step in
      QuestionTerminal.Option(
        name: step.name, words: "\(Console.grouped(step.people)) people")
    }
    let kind = guess.hasScreens ? "screens" : "steps"
    guard
      let numbers = terminal.chooseSeveral(
        "These look like \(kind) of the onboarding, in this order:", options)
    else { return false }
    choice.steps = numbers.map { steps[$0 - 1].name }
    return true
  }

  private func askVariant(_ choice: inout FlowChoice) -> Bool {
    let variants = Array(guess.variants.prefix(6))
    if variants.isEmpty { return true }
    let options = variants.map { variant in
      QuestionTerminal.Option(
        name: variant.name,
        words: variant.evidence + (variant.doubt.map { "; doubtful: \($0)" } ?? ""))
    }
    let standard = variants.firstIndex { $0 == choice.variant }.map { $0 + 1 } ?? 0
    guard
      let number = terminal.choose(
        "Which property is the variant of an experiment?", options, none: "there is no experiment",
        standard: standard)
    else { return false }
    choice.variant = number == 0 ? nil : variants[number - 1]
    return true
  }

  private func askActivity(_ choice: inout FlowChoice) -> Bool {
    if guess.activities.isEmpty { return true }
    let options = guess.activities.map {
      QuestionTerminal.Option(name: $0.name, words: $0.evidence)
    }
    guard
      let number = terminal.choose(
        "What is a normal day-7 user: who has which event on that day?", options,
        none: "any event", standard: 0)
    else { return false }
    choice.activity = number == 0 ? nil : guess.activities[number - 1].name
    return true
  }
}
