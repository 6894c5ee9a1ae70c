internal import FlowDefinition
internal import Timelines

/// Reads actions' names once and finds what they mean to the flow.
struct ActionCompiler {
  let flow: Flow
  let tables: FactTables
  let matcher: PatternMatcher
  let places: ActionPlaces

  private let notActivity: Set<String>
  private let permissions: DeclaredNames
  private let steps: DeclaredNames

  init(_ flow: Flow, _ tables: FactTables, _ matcher: PatternMatcher, _ places: ActionPlaces) {
    self.flow = flow
    self.tables = tables
    self.matcher = matcher
    self.places = places
    notActivity = Set(flow.notActivity)
    permissions = DeclaredNames(flow.permissions)
    steps = DeclaredNames(flow.steps.map(\.id))
  }

  /// What an action means, and the patterns that it satisfies.
  func compileAction(_ code: Int) -> (CompiledAction, patterns: [Int32]) {
    let names = ActionNames(tables, code)
    var action = CompiledAction()
    let event = names[places.event] ?? ""
    action.kind = ActionCompiler.kinds[event] ?? .activity
    action.isActivity = !notActivity.contains(event)
    action.status = ActionCompiler.status(names[places.status])
    action.isPrompted = names[places.prompted].flatMap { ActionCompiler.truthValues[$0] }.map {
      $0 == 0
    }
    let method = names[places.method]
    action.completesBySkipping = method == "skipped"
    action.hasUnknownMethod = method.map { !CanonicalNames.methods.contains($0) } ?? false
    if let name = names[places.permission], let index = permissions[name] {
      action.permission = Int16(index)
    }
    readPage(names, into: &action)
    action.order = order(of: action)
    return (action, matcher.patterns(of: event, names))
  }

  private static let kinds: [String: FactKind] = Dictionary(
    uniqueKeysWithValues: zip(
      CanonicalNames.events,
      [
        .started, .prompted, .viewed, .stepSkipped, .permissionResult, .skipped, .completed,
      ]))

  private static let truthValues = DeclaredNames(["true", "false"])

  private static func status(_ name: String?) -> PermissionStatus {
    guard let name, let index = CanonicalNames.statuses.firstIndex(of: name) else { return .other }
    return PermissionStatus(rawValue: UInt8(index)) ?? .other
  }

  private func readPage(_ names: ActionNames, into action: inout CompiledAction) {
    switch action.kind {
    case .viewed, .stepSkipped:
      if let name = names[places.pageName] {
        action.namedStep = steps[name].map(Int16.init) ?? CompiledPage.undeclared
      }
      if let number = names[places.pageNumber].flatMap(ActionCompiler.number) {
        action.place = place(number, countedFrom: flow.countsFrom)
      } else if let index = names[places.pageIndex].flatMap(ActionCompiler.number) {
        action.place = clamped(index)
      }
    case .skipped, .completed:
      guard let page = names[places.skippedAtPage] else {
        if let index = names[places.skippedAtIndex].flatMap(ActionCompiler.number) {
          action.place = clamped(index)
          action.isIndex = true
        }
        return
      }
      if let step = steps[page] {
        action.namedStep = Int16(step)
      } else if page.utf8.first.map({ (48...57).contains($0) }) == true,
        let number = ActionCompiler.number(page)
      {
        action.place = place(number, countedFrom: flow.skipsCountFrom)
      } else {
        action.namedStep = CompiledPage.undeclared
      }
    default:
      break
    }
  }

  /// A whole number, as people write it or with zeros behind a point (definitions 1.8).
  private static func number(_ text: String) -> Int? {
    if let number = Int(text) { return number }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, (1...6).contains(parts[1].utf8.count),
      parts[1].allSatisfy({ $0 == "0" })
    else { return nil }
    return Int(parts[0])
  }

  private func place(_ number: Int, countedFrom first: Int) -> Int16 {
    let (place, isTooSmall) = number.subtractingReportingOverflow(first)
    return isTooSmall ? clamped(-1) : clamped(place)
  }

  /// A place no list has for numbers that can't be one.
  private func clamped(_ place: Int) -> Int16 {
    place < 0 || place > 10_000 ? 10_001 : Int16(place)
  }

  private func order(of action: CompiledAction) -> Int16 {
    let last: Int16 = 1000
    let permission = action.permission < 0 ? last : action.permission
    switch action.kind {
    case .viewed, .stepSkipped, .skipped:
      return action.namedStep < 0 ? last : action.namedStep
    case .prompted: return permission
    case .permissionResult: return permission * 16 + Int16(action.status.rawValue)
    case .completed: return action.completesBySkipping ? 1 : 0
    case .started, .activity: return 0
    }
  }
}

/// An action's values as text; `nil` for missing.
struct ActionNames {
  private let tables: FactTables
  private let values: ArraySlice<UInt32>

  init(_ tables: FactTables, _ code: Int) {
    self.tables = tables
    values = tables.action(code)
  }

  subscript(place: Int) -> String? {
    let value = values[values.startIndex + place]
    return value == 0 ? nil : tables.name(ofActionValue: value, at: place)
  }
}
