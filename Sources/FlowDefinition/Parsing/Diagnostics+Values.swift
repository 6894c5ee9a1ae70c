internal import Yams

/// Nodes as values of one type; whatever does not fit is reported and `nil`.
extension Diagnostics {
  func text(_ node: Node, _ what: String) -> String? {
    guard let scalar = node.scalar, !ScalarText.isNull(scalar) else {
      wrongType(what, "text", node)
      return nil
    }
    return scalar.string
  }

  /// A name of a step, goal, variant … Names in parentheses are the reports' own, such as
  /// `(entry)` and `(other)`.
  func identifier(_ node: Node, _ what: String, forbidding character: Character? = nil) -> String? {
    guard let text = text(node, what),
      isIdentifier(text, what, at: node.place, forbidding: character)
    else { return nil }
    return text
  }

  /// The name of something in the dump, such as an event: any text but an empty one.
  func name(_ node: Node, _ what: String) -> String? {
    guard let text = text(node, what), isName(text, what, at: node.place) else { return nil }
    return text
  }

  /// Whether a text is fit for a name; reports why not.
  private func isName(_ text: String, _ what: String, at place: SourcePlace?) -> Bool {
    let isClean = text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
    if text.isEmpty || text.hasPrefix(" ") || text.hasSuffix(" ") || !isClean {
      error(
        "\(what) must be a name without spaces around it or control characters",
        at: place, found: text)
      return false
    }
    if text.utf8.count > 200 {
      error("\(what) is longer than 200 bytes", at: place, found: text)
      return false
    }
    return true
  }

  /// Whether a text is fit for an identifier; reports why not.
  func isIdentifier(
    _ text: String, _ what: String, at place: SourcePlace?, forbidding character: Character? = nil
  ) -> Bool {
    guard isName(text, what, at: place) else { return false }
    if text.hasPrefix("(") || text == "all" {
      error("\(what) can't be '\(text)': reports use that name", at: place, found: text)
      return false
    }
    if let character, text.contains(character) {
      error("\(what) can't contain '\(character)'", at: place, found: text)
      return false
    }
    return true
  }

  func boolean(_ node: Node, _ what: String) -> Bool? {
    if let value = node.scalar.flatMap(ScalarText.boolean) { return value }
    error(
      "\(what) must be true or false, found \(Diagnostics.describe(node))", at: node.place,
      found: Diagnostics.describe(node))
    return nil
  }

  func wholeNumber(_ node: Node, _ what: String, in range: ClosedRange<Int>) -> Int? {
    guard let scalar = node.scalar, ScalarText.isPlain(scalar), let number = Int(scalar.string)
    else {
      wrongType(what, "a whole number", node)
      return nil
    }
    guard range.contains(number) else {
      error(
        "\(what) must be from \(range.lowerBound) to \(range.upperBound), found \(number)",
        at: node.place, found: String(number))
      return nil
    }
    return number
  }

  /// What a metric is held against, in the metric's unit: a percentage or a number, or for times a
  /// duration or a number of seconds.
  func bound(
    _ text: String, _ key: String, of metric: MetricName, at place: SourcePlace?
  ) -> Double? {
    let number = ScalarText.exponentNumber(text)
    switch MetricCatalog.unit(of: metric) {
    case .seconds:
      let seconds = DurationText.milliseconds(text).map { Double($0) / 1000 } ?? number
      if seconds == nil {
        error(
          "'\(key)' of a time must be a duration or a number of seconds, found '\(text)'",
          at: place, found: text, allowed: ["90s", "3m", "180"])
      }
      return seconds
    case .persons, .amount:
      if number == nil {
        let what = MetricCatalog.unit(of: metric) == .amount ? "an amount" : "a count"
        error(
          "'\(key)' of \(what) must be a number, found '\(text)'", at: place,
          found: text)
      }
      return number
    case .rate, .probability, .ratio, .points:
      guard let value = ScalarText.percent(text) ?? number else {
        error(
          "'\(key)' must be a percentage or a number, found '\(text)'", at: place, found: text)
        return nil
      }
      let isDifference = MetricCatalog.unit(of: metric) == .points
      if isDifference || MetricCatalog.isRate(metric), value.magnitude > 1, !text.hasSuffix("%") {
        let what = isDifference ? "a difference of rates" : "a rate"
        error(
          "'\(key)' of \(what) must be a percentage or a fraction of 1, found '\(text)'",
          at: place, found: text, suggestion: "\(text)%")
        return nil
      }
      return value
    }
  }

  /// A duration above zero, in milliseconds.
  func duration(_ node: Node, _ what: String) -> Int64? {
    guard let scalar = node.scalar, !ScalarText.isNull(scalar) else {
      wrongType(what, "a duration", node)
      return nil
    }
    let text = scalar.string
    if text.hasPrefix("-") {
      error("\(what) can't be negative, found '\(text)'", at: node.place, found: text)
      return nil
    }
    guard let milliseconds = DurationText.milliseconds(text) else {
      if DurationText.isTooLong(text) {
        error("\(what) is longer than ten years, found '\(text)'", at: node.place, found: text)
        return nil
      }
      error(
        "\(what) must be a duration, one whole number and one unit, found '\(text)'",
        at: node.place, found: text, allowed: ["500ms", "15s", "2m", "24h", "7d"],
        suggestion: DurationText.suggestion(for: text))
      return nil
    }
    if milliseconds == 0 {
      error("\(what) must be longer than nothing, found '\(text)'", at: node.place, found: text)
      return nil
    }
    return milliseconds
  }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ node: Node, _ what: String, _ type: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    let allowed = Choice.allCases.map(\.rawValue)
    guard let scalar = node.scalar else {
      let found = Diagnostics.describe(node)
      error("\(what) can't be \(found)", at: node.place, found: found, allowed: allowed)
      return nil
    }
    if let choice = Choice(rawValue: scalar.string) { return choice }
    error(
      "\(what) can't be '\(scalar.string)'", at: node.place, found: scalar.string,
      allowed: allowed, suggestion: NearestSpelling.of(scalar.string, among: allowed))
    return nil
  }

  func list(_ node: Node, _ what: String) -> [Node]? {
    guard let sequence = node.sequence else {
      wrongType(what, "a list", node)
      return nil
    }
    return Array(sequence)
  }

  /// `where`: properties and the values that satisfy the condition, one or a list.
  func conditions(_ node: Node?) -> [PropertyCondition] {
    guard let node, let entries = MappingReader.entries(of: node, what: "'where'", self) else {
      return []
    }
    return entries.map { entry in
      let what = "'\(entry.name)' in 'where'"
      let nodes = entry.node.sequence.map(Array.init) ?? [entry.node]
      if nodes.isEmpty {
        error("\(what) needs at least one value", at: entry.node.place, found: "an empty list")
      }
      return PropertyCondition(
        property: entry.name, values: nodes.compactMap { comparedText($0, what) })
    }
  }

  private func comparedText(_ node: Node, _ what: String) -> String? {
    guard let scalar = node.scalar, !ScalarText.isNull(scalar) else {
      wrongType(what, "a text, number, true or false, or a list of them", node)
      return nil
    }
    let canonical = ScalarText.canonical(scalar)
    if canonical != scalar.string, ScalarText.boolean(scalar) == nil {
      warning(
        "\(what) is the number \(canonical); for the text write \"\(scalar.string)\"",
        at: node.place)
    }
    return canonical
  }
}
