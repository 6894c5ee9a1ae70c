import FlowDefinition

/// Where a dimension's value of a person comes from.
enum DimensionSource: Sendable {
  /// A field of the context, known at entry.
  case field(Int)
  /// A field of the context that only lines of a known user have.
  case laterField(Int)
  /// How the first page that says so was reached.
  case navigation
  /// A property of the earliest action in the attempt that has it: its name, and the value's place
  /// by template (-1 where the template has none); and how long after entry it may come, where that
  /// is not the attempt.
  case property(values: [String], places: [Int], within: Int64?)
  /// Not simulated: there are no slices.
  case unknown

  static let navigations = ["swipe", "button"]
  /// What onboarding events say themselves: an action's property of that name is not the only one.
  private static let ofOnboarding: Set<String> = [
    "page_name", "page_number", "page_index", "item", "skipped_at_page", "completion_method",
    "permission", "status", "prompted", "source", "device",
  ]

  static func all(
    _ flow: Flow, _ profile: Profile, _ context: ContextModel, _ templates: [EventTemplate]
  ) -> [DimensionSource] {
    zip(flow.dimensions, context.dimensionFields).map { dimension, field in
      if let field {
        return context.fields[field].isKnownLater ? .laterField(field) : .field(field)
      }
      let name = EventTemplate.bareName(dimension.path)
      guard dimension.isKnownLater, name != dimension.path, !ofOnboarding.contains(name) else {
        return .unknown
      }
      if name == "navigation" { return profile.tellsNavigation ? .navigation : .unknown }
      let found = templates.map { $0.value(of: name) }
      let values = Set(found.compactMap { $0 }).sorted {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
      guard !values.isEmpty else { return .unknown }
      return .property(
        values: values, places: found.map { $0.flatMap(values.firstIndex) ?? -1 },
        within: dimension.laterWithinMilliseconds)
    }
  }

  /// All values there are, but the missing one; `nil` where there are no slices.
  func values(_ context: ContextModel) -> [String]? {
    switch self {
    case .field(let field), .laterField(let field): context.fields[field].values
    case .navigation: DimensionSource.navigations
    case .property(let values, _, _): values
    case .unknown: nil
    }
  }

  /// The place of a person's value, or `nil` for none.
  func place(
    _ fate: Fate, _ attempt: ClosedRange<Int64>, _ context: ContextModel, horizon: Int64
  ) -> Int? {
    switch self {
    case .field(let field):
      let code = fate.context[field]
      return code == ContextModel.missing ? nil : Int(code)
    case .laterField(let field):
      let code = fate.context[field]
      let isTold = fate.records.contains {
        attempt.contains($0.time) && $0.identity.contains(.user)
      }
      return isTold && code != ContextModel.missing ? Int(code) : nil
    case .navigation:
      let first = fate.records.filter {
        attempt.contains($0.time) && !$0.identity.isDisjoint(with: .navigation)
      }.min { $0.time < $1.time }
      return first.map { $0.identity.contains(.swiped) ? 0 : 1 }
    case .property(_, let places, let within):
      let latest = within.map { min(fate.entry + $0, horizon) } ?? attempt.upperBound
      let first = fate.happenings.filter {
        $0.time >= attempt.lowerBound && $0.time <= latest && places[$0.template] >= 0
      }.min { $0.time < $1.time }
      return first.map { places[$0.template] }
    case .unknown: return nil
    }
  }
}
