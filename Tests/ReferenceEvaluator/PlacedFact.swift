import FlowDefinition

/// A fact with what the flow makes of it, comparable by the order of definitions 2.
struct PlacedFact: Comparable {
  let fact: ReferenceFact
  let kind: FactKind
  /// Of a view or step skip its page; of a skip or completion the page it was skipped at.
  let page: PageReading
  private let rank: [Int]
  /// What breaks the last ties.
  private let texts: [String]

  static let statusOrder = [
    "granted", "provisional", "ephemeral", "when_in_use", "always", "reduced", "denied", "error",
    "restricted", "not_now", "not_determined",
  ]

  init(_ fact: ReferenceFact, flow: Flow) {
    self.fact = fact
    let reader = PageReader(flow: flow)
    kind = FactKind(name: fact.name, belongs: fact.flow == nil || fact.flow == flow.id)
    switch kind {
    case .viewed, .stepSkipped: page = reader.page(fact)
    case .skipped, .completed: page = reader.skippedAt(fact)
    default: page = .none
    }
    let last = Int.max
    let permission =
      fact.property("permission").flatMap { Spelling.name($0, among: flow.permissions) }
      .flatMap { flow.permissions.firstIndex(of: $0) } ?? last
    let status = fact.property("status").flatMap { Self.statusOrder.firstIndex(of: $0) } ?? last
    switch kind {
    case .viewed, .stepSkipped, .skipped: rank = [page.step ?? last]
    case .prompted: rank = [permission]
    case .result: rank = [permission, status]
    case .completed: rank = [fact.property("completion_method") == "skipped" ? 1 : 0]
    case .started, .activity: rank = []
    }
    texts = Self.texts(fact, flow: flow)
  }

  var time: Int64 { fact.time }
  /// One of the seven onboarding events, of this flow.
  var isOnboarding: Bool { kind != .activity }

  /// Name, properties by name, then everything else; missing values come first.
  private static func texts(_ fact: ReferenceFact, flow: Flow) -> [String] {
    let paths = ReferenceFact.usedPaths(flow).sorted()
    func values(_ inside: Bool) -> [String] {
      paths.filter { $0.hasPrefix("properties.") == inside }.map { fact.values[$0] ?? "" }
    }
    return [fact.name] + values(true) + [fact.sent.version ?? ""] + values(false)
      + flow.experiments.map { fact.sent.variants[$0.id] ?? "" }
      + [fact.sent.flow ?? "", fact.session ?? ""]
  }

  static func < (left: PlacedFact, right: PlacedFact) -> Bool {
    if left.time != right.time { return left.time < right.time }
    if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
    if left.rank != right.rank { return left.rank.lexicographicallyPrecedes(right.rank) }
    for (first, second) in zip(left.texts, right.texts) where first != second {
      return first.utf8.lexicographicallyPrecedes(second.utf8)
    }
    return false
  }

  static func == (left: PlacedFact, right: PlacedFact) -> Bool {
    left.fact == right.fact
  }
}
