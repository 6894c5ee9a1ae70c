internal import FlowDefinition
internal import Timelines

/// Reads contexts' names once and finds what they mean to the flow.
struct ContextCompiler {
  let flow: Flow
  let tables: FactTables
  let codes: ContextCodes
  let lists: StepLists
  let variantPlaces: [Int]
  private(set) var contexts: [CompiledContext] = []
  /// Distinct sets of lists that a page number may have to be looked up in.
  private(set) var candidateSets: [[Int]] = []
  private var known: [[Int]: Int32] = [:]

  init(
    _ flow: Flow, _ tables: FactTables, _ codes: ContextCodes, _ lists: StepLists,
    variantPlaces: [Int]
  ) {
    self.flow = flow
    self.tables = tables
    self.codes = codes
    self.lists = lists
    self.variantPlaces = variantPlaces
    for code in 0..<tables.contextCount { compileContext(code) }
  }

  /// The step at a place, if all the lists of a candidate set agree on it.
  func step(at place: Int, of candidates: [Int]) -> Int16 {
    var found: Int16?
    for list in candidates {
      let steps = lists.all[list].steps
      let step = steps.indices.contains(place) ? Int16(steps[place]) : CompiledPage.undeclared
      if let found, found != step { return CompiledPage.ambiguous }
      found = step
    }
    return found ?? CompiledPage.undeclared
  }

  private mutating func compileContext(_ code: Int) {
    var context = CompiledContext()
    let owner = codes.value(code, at: 0)
    context.belongs = owner == 0 || name(owner, at: 0) == flow.id
    context.version = codes.value(code, at: 1)
    let version = context.version == 0 ? nil : name(context.version, at: 1)
    let variants = variantPlaces.map { place in
      let variant = codes.value(code, at: place)
      return variant == 0 ? nil : name(variant, at: place)
    }
    context.list = Int16(lists.list(version: version, variants: variants))
    let candidates = lists.candidates(version: version, variants: variants)
    if let index = known[candidates] {
      context.candidates = index
    } else {
      context.candidates = Int32(truncatingIfNeeded: candidateSets.count)
      known[candidates] = context.candidates
      candidateSets.append(candidates)
    }
    contexts.append(context)
  }

  private func name(_ code: UInt32, at place: Int) -> String {
    tables.name(ofContextValue: code, at: place)
  }
}
