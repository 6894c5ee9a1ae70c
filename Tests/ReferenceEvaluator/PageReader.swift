import FlowDefinition

/// Resolves names and numbers of pages to steps, and picks lists (definitions 4).
struct PageReader {
  let flow: Flow

  /// The list of a version; the newest for every other one and for none.
  func versionList(_ version: String?) -> [Int] {
    flow.versions.first { $0.name == version }?.steps ?? flow.defaultList
  }

  /// The list that a version and variants select.
  func list(version: String?, variants: [String: String]) -> [Int] {
    for experiment in flow.experiments {
      if let id = variants[experiment.id],
        let steps = experiment.variants.first(where: { $0.id == id })?.steps
      {
        return steps
      }
    }
    return versionList(version)
  }

  /// All lists that could apply to an event that does not say everything.
  func possibleLists(version: String?, variants: [String: String]) -> [[Int]] {
    var lists: [[Int]] = []
    for experiment in flow.experiments {
      if let id = variants[experiment.id] {
        if let steps = experiment.variants.first(where: { $0.id == id })?.steps {
          return lists + [steps]
        }
      } else {
        lists += experiment.variants.compactMap(\.steps)
      }
    }
    if version == nil, !flow.versions.isEmpty {
      return lists + [flow.defaultList] + flow.versions.map(\.steps)
    }
    return lists + [versionList(version)]
  }

  /// The page of a view or of a step skip.
  func page(_ fact: ReferenceFact) -> PageReading {
    if let name = fact.property("page_name") {
      return step(name).map { .step($0) } ?? .undeclared
    }
    return numberedPage(fact)
  }

  private func numberedPage(_ fact: ReferenceFact) -> PageReading {
    if let number = fact.property("page_number") {
      return position(number, from: flow.countsFrom, fact)
    }
    if let index = fact.property("page_index") { return position(index, from: 0, fact) }
    return .none
  }

  /// The page of a skip, or of a completion that says where it was skipped.
  func skippedAt(_ fact: ReferenceFact) -> PageReading {
    guard let text = fact.property("skipped_at_page") else {
      return fact.property("skipped_at_index").map { position($0, from: 0, fact) } ?? .none
    }
    if let step = step(text) { return .step(step) }
    let isNumber = Spelling.number(text) != nil && !text.hasPrefix("-") && !text.hasPrefix("+")
    return isNumber ? position(text, from: flow.skipsCountFrom, fact) : .undeclared
  }

  /// Whether the name is one step and the number another.
  func hasConflict(_ fact: ReferenceFact) -> Bool {
    guard let name = fact.property("page_name").flatMap(step),
      let number = numberedPage(fact).step
    else { return false }
    return name != number
  }

  /// The step that a page's name means.
  func step(_ name: String) -> Int? {
    Spelling.name(name, among: flow.steps.map(\.id)).flatMap(flow.stepIndex)
  }

  private func position(_ text: String, from base: Int, _ fact: ReferenceFact) -> PageReading {
    guard let number = Spelling.number(text) else { return .undeclared }
    let answers = possibleLists(version: fact.version, variants: fact.variants).map { list in
      list.indices.contains(number - base) ? PageReading.step(list[number - base]) : .undeclared
    }
    return Set(answers).count == 1 ? answers[0] : .ambiguous
  }
}
