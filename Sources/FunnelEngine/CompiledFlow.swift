internal import EventInput
public import FlowDefinition
public import Timelines

/// A flow made ready for the facts of one run: every question about an action or a context is
/// answered beforehand by a table. A class, as the tables are many: who holds it holds one word.
public final class CompiledFlow: Sendable {
  /// The flow as it was declared.
  public let flow: Flow
  let tables: FactTables
  let lists: StepLists
  let transitions: TransitionLayout
  let patterns: EventPatternTable
  let patternSets: PatternSets
  let funnels: [FunnelMarks]
  let actions: [CompiledAction]
  let contexts: [CompiledContext]
  private let contextCodes: ContextCodes
  /// For each set of lists that could apply the step of each place, `placeWidth` each.
  private let stepOfPlace: [Int16]
  /// No list has so many steps: the last place stands for all that no list has.
  private static let placeWidth = 65
  /// For each experiment of the flow, its place in a context's values.
  let variantPlaces: [Int]
  /// For each experiment whether somebody with a variant may be outside of it, for the time of
  /// entry or for want of exposure.
  let limitsExperiment: [Bool]
  /// For each experiment the sets of patterns that show exposure; none where nothing must.
  let exposingSets: [Set<UInt32>]
  /// For each dimension of the flow, its place in a context's values.
  let dimensionPlaces: [Int]
  /// For each path of accounts of the flow, its place in a context's values.
  let clusterPlaces: [Int]
  /// For each goal with `by`, the place of that property in an action's values.
  let goalValuePlaces: [Int?]
  /// For each goal with `prefer` each action's place among the preferred values, behind all of
  /// them for other values, and last for none; empty for other goals.
  let goalValueRanks: [[Int32]]
  /// For each goal with `prefer` each action's value; empty for other goals.
  private let goalValueCodes: [[UInt32]]
  /// For each goal with `value`, the place of that property in an action's values.
  let goalAmountPlaces: [Int?]
  /// For each goal with `value` each action's amount in millionths; `nil` for no number.
  let goalAmounts: [[Int64?]]
  /// Goals with a value of which no action says a number, and those of whose numbers some are not
  /// kept.
  let goalsWithoutNumber: Set<Int>
  let goalsWithLostNumbers: Set<Int>
  /// The sets of patterns of the event that begins an attempt; `nil` where the start does.
  let entrySets: Set<UInt32>?
  /// Which actions leave people out; `nil` where none does.
  let leavingMarks: LeavingMarks?
  /// Places of the fields in an action's values.
  let places: ActionPlaces
  let tieOrder: TieOrder

  /// - Throws: `FlowLimitError` if the flow is larger than what can be evaluated.
  public init(_ flow: Flow, tables: FactTables) throws(FlowLimitError) {
    try flow.checkLimits()
    let patterns = EventPatternTable(flow)
    self.flow = flow
    self.tables = tables
    self.patterns = patterns
    lists = StepLists(flow)
    transitions = TransitionLayout(stepCount: flow.steps.count)
    let schema = tables.schema
    variantPlaces = flow.experiments.map { schema.contextIndex(ofExperiment: $0.id) ?? 0 }
    dimensionPlaces = flow.dimensions.map { schema.contextIndex(ofDimensionPath: $0.path) ?? 0 }
    clusterPlaces = flow.clusterPaths.map { schema.contextIndex(ofClusterPath: $0) ?? 0 }
    goalValuePlaces = flow.goals.map { $0.by.flatMap { schema.actionIndex(ofProperty: $0) } }
    goalValueRanks = flow.goals.map { GoalValues.ranks($0, tables) }
    goalValueCodes = flow.goals.map { GoalValues.codes($0, tables) }
    goalAmountPlaces = flow.goals.map { $0.value.flatMap { schema.actionIndex(ofProperty: $0) } }
    goalAmounts = flow.goals.map { GoalValues.amounts($0, tables) }
    goalsWithoutNumber = GoalValues.withoutNumber(flow.goals, tables, goalAmounts)
    goalsWithLostNumbers = GoalValues.withLostNumbers(flow.goals, tables)
    places = ActionPlaces(schema)
    leavingMarks = LeavingMarks(flow.leaveOut.marks, tables)
    tieOrder = TieOrder(flow, schema)
    contextCodes = ContextCodes(flow, tables)
    let actionCompiler = ActionCompiler(
      flow, tables, PatternMatcher(patterns.patterns, schema), places)
    let compiled = (0..<tables.actionCount).map { actionCompiler.compileAction($0) }
    let (sets, numbers) = PatternSets.number(
      compiled.map(\.patterns), patternCount: patterns.patterns.count)
    actions = zip(compiled, numbers).map { compiled, set in
      var action = compiled.0
      action.patternSet = set
      return action
    }
    patternSets = sets
    entrySets = flow.entry.map { entry in
      let pattern = patterns.number(of: entry)
      return Set(pattern.map { sets.sets(with: $0).map { UInt32($0) } } ?? [])
    }
    limitsExperiment = flow.experiments.map {
      $0.startMilliseconds != nil || $0.endMilliseconds != nil || !$0.periods.isEmpty
        || $0.exposure != nil
    }
    exposingSets = flow.experiments.map { experiment in
      let pattern = experiment.exposure.flatMap { patterns.number(of: $0) }
      return Set(pattern.map { sets.sets(with: $0).map { UInt32($0) } } ?? [])
    }
    funnels = flow.funnels.map { FunnelMarks($0, patterns, sets) }
    let compiler = ContextCompiler(
      flow, tables, contextCodes, lists, variantPlaces: variantPlaces)
    contexts = compiler.contexts
    stepOfPlace = compiler.candidateSets.flatMap { set in
      (0..<CompiledFlow.placeWidth).map { compiler.step(at: $0, of: set) }
    }
  }

  /// The value by which an action is counted for a goal; 0 for none.
  func goalValue(_ goal: Int, of action: Int, at place: Int) -> UInt32 {
    let codes = goalValueCodes[goal]
    return codes.isEmpty ? tables.actionValue(action, at: place) : codes[action]
  }

  /// One value of a context.
  @inline(__always)
  func contextValue(_ context: Int, at place: Int) -> UInt32 {
    contextCodes.value(context, at: place)
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

  /// Whether the page's number means another step than its name.
  func isPageConflict(_ action: CompiledAction, _ context: CompiledContext) -> Bool {
    guard action.namedStep >= 0, action.place != -1 else { return false }
    let numbered = numberedPage(action, context)
    return numbered != action.namedStep && numbered != CompiledPage.ambiguous
  }
}
