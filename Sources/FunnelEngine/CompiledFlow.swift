internal import EventInput
public import FlowDefinition
public import Timelines

/// A flow made ready for the facts of one run: every question about an action or a context is
/// answered beforehand by a table.
public struct CompiledFlow: Sendable {
  public let flow: Flow
  let tables: FactTables
  let lists: StepLists
  let patterns: [EventPattern]
  private(set) var actions: [CompiledAction] = []
  private(set) var contexts: [CompiledContext] = []
  /// All contexts' values, one context after the other, `contextWidth` each.
  private let contextValues: [UInt32]
  private let contextWidth: Int
  /// Distinct sets of lists that a page number may have to be looked up in.
  private(set) var candidateSets: [[Int]] = []
  /// For each candidate set the step of each place, `placeWidth` each.
  private var stepOfPlace: [Int16] = []
  /// No list has so many steps: the last place stands for all that no list has.
  private static let placeWidth = 65
  /// For each experiment of the flow, its place in a context's values.
  let variantPlaces: [Int]
  /// For each dimension of the flow, its place in a context's values.
  let dimensionPlaces: [Int]
  /// For each goal with `by`, the place of that property in an action's values.
  let goalValuePlaces: [Int?]
  /// Places of the fields in an action's values.
  let places: ActionPlaces

  /// - Throws: `EngineLimitError` if the flow has more steps or patterns than one word has bits.
  public init(_ flow: Flow, tables: FactTables) throws(EngineLimitError) {
    let patterns = flow.eventPatterns
    if flow.steps.count > 64 { throw .tooMany("steps", flow.steps.count) }
    if patterns.count > 64 { throw .tooMany("goals, friction and funnel events", patterns.count) }
    self.flow = flow
    self.tables = tables
    self.patterns = patterns
    lists = StepLists(flow)
    let schema = tables.schema
    variantPlaces = flow.experiments.map { schema.contextIndex(ofExperiment: $0.id) ?? 0 }
    dimensionPlaces = flow.dimensions.map { schema.contextIndex(ofDimensionPath: $0.path) ?? 0 }
    goalValuePlaces = flow.goals.map { $0.by.flatMap { schema.actionIndex(of: $0) } }
    places = ActionPlaces(schema)
    contextWidth = schema.contextWidth
    contextValues = (0..<tables.contextCount).flatMap { tables.context($0) }
    actions = (0..<tables.actionCount).map { compileAction($0) }
    var known: [[Int]: Int16] = [:]
    for code in 0..<tables.contextCount { compileContext(code, &known) }
    for set in candidateSets {
      for place in 0..<CompiledFlow.placeWidth { stepOfPlace.append(step(at: place, of: set)) }
    }
  }

  /// One value of a context.
  @inline(__always)
  func contextValue(_ context: Int, at place: Int) -> UInt32 {
    contextValues[context * contextWidth + place]
  }

  /// The step that a fact's page means, or one of `CompiledPage`'s codes.
  @inline(__always)
  func page(_ action: CompiledAction, _ context: CompiledContext) -> Int16 {
    if action.namedStep != CompiledPage.none { return action.namedStep }
    if action.place == -1 { return CompiledPage.none }
    return numberedPage(action, context)
  }

  func numberedPage(_ action: CompiledAction, _ context: CompiledContext) -> Int16 {
    let place = min(Int(action.place), CompiledFlow.placeWidth - 1)
    return stepOfPlace[Int(context.candidates) * CompiledFlow.placeWidth + place]
  }

  /// The step at a place, if all the lists that could apply agree on it.
  private func step(at place: Int, of candidates: [Int]) -> Int16 {
    var found: Int16?
    for list in candidates {
      let steps = lists.all[list].steps
      let step = steps.indices.contains(place) ? Int16(steps[place]) : CompiledPage.undeclared
      if let found, found != step { return CompiledPage.ambiguous }
      found = step
    }
    return found ?? CompiledPage.undeclared
  }

  /// Whether the page's number means another step than its name.
  func isPageConflict(_ action: CompiledAction, _ context: CompiledContext) -> Bool {
    guard action.namedStep >= 0, action.place != -1 else { return false }
    let numbered = numberedPage(action, context)
    return numbered != action.namedStep && numbered != CompiledPage.ambiguous
  }

  private mutating func compileContext(_ code: Int, _ known: inout [[Int]: Int16]) {
    let values = tables.context(code)
    let start = values.startIndex
    var context = CompiledContext()
    let owner = values[start]
    context.belongs = owner == 0 || tables.name(ofContextValue: owner, at: 0) == flow.id
    context.version = values[start + 1]
    let version = context.version == 0 ? nil : name(context.version, at: 1)
    let variants = variantPlaces.map { place in
      values[start + place] == 0 ? nil : name(values[start + place], at: place)
    }
    context.list = Int16(lists.list(version: version, variants: variants))
    let candidates = lists.candidates(version: version, variants: variants)
    if let index = known[candidates] {
      context.candidates = index
    } else {
      context.candidates = Int16(candidateSets.count)
      known[candidates] = context.candidates
      candidateSets.append(candidates)
    }
    contexts.append(context)
  }

  private func name(_ code: UInt32, at place: Int) -> String {
    tables.name(ofContextValue: code, at: place)
  }
}

/// A flow that is larger than the engine can hold.
public enum EngineLimitError: Error, Hashable, CustomStringConvertible {
  case tooMany(String, Int)

  public var description: String {
    switch self {
    case .tooMany(let what, let count):
      "the flow has \(count) \(what); at most 64 can be evaluated in one run"
    }
  }
}
