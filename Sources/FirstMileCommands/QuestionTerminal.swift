import FlowDefinition

/// Asks at the terminal, on standard error. `q` and the end of the input leave.
struct QuestionTerminal {
  /// An answer that can be chosen by its number.
  struct Option {
    var name: String
    var words: String
  }

  /// - Parameters:
  ///   - none: what 0 means.
  ///   - standard: what Enter takes.
  /// - Returns: a number of an option, or 0; `nil` to leave.
  func choose(_ question: String, _ options: [Option], none: String, standard: Int) -> Int? {
    list(question, options)
    say("  0  \(none)")
    let allowed = "a number from 0 to \(options.count)"
    while let answer = answer("\(allowed) [\(standard)], q leaves: ") {
      if answer.isEmpty { return standard }
      if let number = Int(answer), (0...options.count).contains(number) { return number }
      say("'\(HiddenScalars.escaped(answer))' is not \(allowed).")
    }
    return nil
  }

  /// - Returns: numbers of options in their order, all of them for Enter; `nil` to leave.
  func chooseSeveral(_ question: String, _ options: [Option]) -> [Int]? {
    list(question, options)
    while let answer = answer("those that belong to it, such as 1-3,5 [all], q leaves: ") {
      if answer.isEmpty || answer == "all" { return Array(1...options.count) }
      if let numbers = Self.numbers(answer, upTo: options.count) { return numbers }
      say("'\(HiddenScalars.escaped(answer))' is no list of numbers from 1 to \(options.count).")
    }
    return nil
  }

  /// `1-3,5` or `1 2 5` as numbers in order; `nil` where it is none, or one is out of range.
  static func numbers(_ text: String, upTo most: Int) -> [Int]? {
    var numbers: Set<Int> = []
    for part in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2,
        (1...most).contains(first), (first...most).contains(last)
      else { return nil }
      numbers.formUnion(first...last)
    }
    return numbers.isEmpty ? nil : numbers.sorted()
  }

  private func list(_ question: String, _ options: [Option]) {
    say("\n\(question)")
    for (index, option) in options.enumerated() {
      say("  \(index + 1)  \(HiddenScalars.escaped(option.name)): \(option.words)")
    }
  }

  /// The next line without spaces around it; `nil` for `q` and at the end of the input.
  private func answer(_ prompt: String) -> String? {
    Console.terminal(prompt)
    guard let line = readLine() else {
      say("")
      return nil
    }
    let answer = String(
      line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    return ["q", "quit"].contains(answer.lowercased()) ? nil : answer
  }

  private func say(_ text: String) { Console.terminal(text + "\n") }
}
