internal import EventInput
internal import FlowDefinition
internal import Timelines

extension AttemptEvaluator {
  /// Puts facts of one millisecond in order.
  mutating func orderTies() {
    let order = compiled.tieOrder
    var start = 0
    while start < walk.count {
      var end = start + 1
      while end < walk.count && walk[end].timeMilliseconds == walk[start].timeMilliseconds {
        end += 1
      }
      if end - start > 1 { walk[start..<end].sort { order.isBefore($0, $1, compiled) } }
      start = end
    }
  }
}

/// The order of facts at one millisecond (definitions 2). Nothing in it depends on codes, hashes or
/// other flows.
struct TieOrder: Sendable {
  /// Where a value stands that distinguishes two facts.
  private enum Place: Sendable {
    case action(Int)
    case context(Int)
  }

  /// Places in the order in which they are compared, after kind and declared order.
  private let places: [Place]

  init(_ flow: Flow, _ schema: FactSchema) {
    let dimensions = Dictionary(
      flow.dimensions.compactMap { dimension in
        schema.contextIndex(ofDimensionPath: dimension.path).map {
          (dimension.path, Place.context($0))
        }
      }, uniquingKeysWith: { $1 })
    let properties =
      TieOrder.onboardingProperties + flow.eventPatterns.flatMap { $0.conditions.map(\.property) }
      + flow.leaveOut.marks.flatMap { $0.conditions.map(\.property) }
      + flow.goals.compactMap(\.by) + flow.goals.compactMap(\.value)
    let actions = Dictionary(
      properties.compactMap { property in
        schema.actionIndex(ofProperty: property).map {
          (FactSchema.propertyPath(property), Place.action($0))
        }
      }, uniquingKeysWith: { $1 })
    let used = actions.merging(dimensions) { $1 }.sorted {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    let isProperty = { (path: String) in path.hasPrefix("properties.") }
    var places = schema.actionIndex(ofField: "event").map { [Place.action($0)] } ?? []
    places += used.filter { isProperty($0.key) }.map(\.value)
    // The version, then what stands outside of the properties, then variants and the flow.
    places.append(.context(1))
    places += used.filter { !isProperty($0.key) }.map(\.value)
    places += flow.experiments.compactMap { schema.contextIndex(ofExperiment: $0.id) }
      .map(Place.context)
    self.places = places + [.context(0)]
  }

  private static let onboardingProperties = [
    "page_name", "page_number", "page_index", "item", "skipped_at_page", "skipped_at_index",
    "completion_method", "permission", "status", "prompted",
  ]

  /// Facts that differ in their session or their own id only may stand either way: no rule depends
  /// on it.
  func isBefore(_ left: WalkFact, _ right: WalkFact, _ compiled: CompiledFlow) -> Bool {
    if left.kind != right.kind { return left.kind < right.kind }
    let orders = (TieOrder.declared(left, compiled), TieOrder.declared(right, compiled))
    if orders.0 != orders.1 { return orders.0 < orders.1 }
    return firstDifference(left, right, compiled.tables) ?? (left.session < right.session)
  }

  private static func declared(_ fact: WalkFact, _ compiled: CompiledFlow) -> Int16 {
    switch fact.kind {
    case .viewed, .stepSkipped, .skipped: fact.page < 0 ? 1000 : fact.page
    // An onboarding event of another flow is activity here, whatever its name would mean.
    case .activity: 0
    default: compiled.actions[fact.action].order
    }
  }

  /// Whether the left fact comes first by the first value in which they differ; nil if they don't.
  /// What is missing comes before all else.
  private func firstDifference(
    _ left: WalkFact, _ right: WalkFact, _ tables: FactTables
  ) -> Bool? {
    if left.actionCode == right.actionCode && left.contextCode == right.contextCode { return nil }
    for place in places {
      let codes = (code(left, place, tables), code(right, place, tables))
      if codes.0 == codes.1 { continue }
      let names = (name(codes.0, place, tables), name(codes.1, place, tables))
      if names.0 != names.1 { return names.0.utf8.lexicographicallyPrecedes(names.1.utf8) }
      // Two names without a place, where a table distinguishes them: by the rest of their hashes.
      let others = (
        canonical(codes.0, place, tables), canonical(codes.1, place, tables)
      )
      if others.0 != others.1 { return others.0 < others.1 }
    }
    return nil
  }

  private func code(_ fact: WalkFact, _ place: Place, _ tables: FactTables) -> UInt32 {
    switch place {
    case .action(let index):
      let values = tables.action(fact.action)
      return values[values.startIndex + index]
    case .context(let index):
      let values = tables.context(fact.context)
      return values[values.startIndex + index]
    }
  }

  private func name(_ code: UInt32, _ place: Place, _ tables: FactTables) -> String {
    if code == 0 { return "" }
    return switch place {
    case .action(let index): tables.name(ofActionValue: code, at: index)
    case .context(let index): tables.name(ofContextValue: code, at: index)
    }
  }
  private func canonical(_ code: UInt32, _ place: Place, _ tables: FactTables) -> UInt32 {
    switch place {
    case .action(let index): tables.canonicalCode(ofActionValue: code, at: index)
    case .context(let index): tables.canonicalCode(ofContextValue: code, at: index)
    }
  }
}
